#include "promise/class_size.hpp"

#include "base/error.hpp"

namespace anonkit {

ClassSize::ClassSize(Record least, Record most) : least_(least), most_(most) {
  if (least < 1 || most < least)
    throw Error(ErrorKind::invalid_parameter, "class sizes are out of range",
                "The smallest size must be at least 1 and not above the largest.");
}

}  // namespace anonkit
