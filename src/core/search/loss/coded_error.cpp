#include "search/loss/coded_error.hpp"

#include <algorithm>

#include "base/at.hpp"

namespace anonkit {
namespace {

/// Writes the values after an exchange, ascending, to the front of a buffer; returns their end.
template <class Values, class Exchange>
typename Values::const_iterator values_after(const Values& values, const Exchange& exchange,
                                             Values* buffer) {
  if (buffer->size() <= values.size()) buffer->resize(2 * values.size() + 1);
  auto next = buffer->begin();
  bool entered = exchange.in.records == 0;
  for (const auto& here : values) {
    if (!entered && exchange.in.value < here.value) {
      *next++ = exchange.in;
      entered = true;
    }
    Record left = here.records;
    if (here.value == exchange.out.value) left -= exchange.out.records;
    if (!entered && here.value == exchange.in.value) {
      left += exchange.in.records;
      entered = true;
    }
    if (left > 0) *next++ = {here.value, left};
  }
  if (!entered) *next++ = exchange.in;
  return next;
}

/// The sum of squared differences from the lower median of ascending values.
template <class Iterator>
double median_error(Iterator first, Iterator last) {
  std::int64_t records = 0, seen = 0;
  for (Iterator here = first; here != last; ++here) records += here->records;
  double median = 0, sum = 0;
  for (Iterator here = first; 2 * seen < records; ++here) {
    median = here->value;
    seen += here->records;
  }
  for (; first != last; ++first)
    sum += first->records * ((first->value - median) * (first->value - median));
  return sum;
}

}  // namespace

CodedError::CodedError(const Space& space) : space_(&space) {
  for (int j = 0; j < space.dimension(); ++j)
    if (space.attribute(j).kind != Kind::numeric) coded_.push_back(j);
}

void CodedError::begin(ClassId capacity) {
  histograms_.assign(at(capacity) * coded_.size(), {});
}

// The cost of any set of records, without the state of a class: for starts, splits and totals.
double CodedError::cost(const RecordSpan& members) const {
  double sum = 0;
  Values values;
  for (std::size_t a = 0; a < coded_.size(); ++a) {
    collect(members, a, &values);
    sum += cost_of(values, a);
  }
  return sum;
}

// Attributes in which the records that leave and enter agree have the same histogram afterwards.
double CodedError::delta(const Change& change) const {
  double sum = 0;
  for (std::size_t a = 0; a < coded_.size(); ++a) {
    const Exchange exchanged = exchange(change, a);
    if (!exchanged.changes()) continue;
    const Histogram& now = histogram(change.id, a);
    sum += cost_after(now.values, exchanged, a) - now.cost;
  }
  return sum;
}

// The cost is computed from the histogram and never updated by differences, so no error adds up.
void CodedError::apply(const Change& change) {
  for (std::size_t a = 0; a < coded_.size(); ++a) {
    const Exchange exchanged = exchange(change, a);
    if (!exchanged.changes()) continue;
    Histogram& now = histogram(change.id, a);
    const auto last = values_after(now.values, exchanged, &after_);
    now.values.assign(after_.cbegin(), last);
    now.cost = cost_of(now.values, a);
  }
}

// Counts the members anew, in O(m log m) for m of them.
void CodedError::assign(ClassId id, const RecordSpan& members) {
  for (std::size_t a = 0; a < coded_.size(); ++a) {
    Histogram& now = histogram(id, a);
    collect(members, a, &now.values);
    now.cost = cost_of(now.values, a);
  }
}

CodedError::Weighed CodedError::weighed(Record i, std::size_t a) const {
  return {space_->row(i)[coded_[a]], space_->weight(i)};
}

// A change as two weighted values. Equal values of equal weight leave the histogram as it is.
CodedError::Exchange CodedError::exchange(const Change& change, std::size_t a) const {
  return {change.out != kNone ? weighed(change.out, a) : Weighed{},
          change.in != kNone ? weighed(change.in, a) : Weighed{}};
}

// Sorts, and joins equal values. The order makes every sum over the histogram the same for any
// order of the members.
void CodedError::collect(const RecordSpan& members, std::size_t a, Values* values) const {
  values->clear();
  // Runs of equal records first: what is left to sort is short where many share a place.
  for (const Record i : members) {
    const Weighed next = weighed(i, a);
    if (!values->empty() && values->back().value == next.value)
      values->back().records += next.records;
    else
      values->push_back(next);
  }
  std::sort(values->begin(), values->end(),
            [](const Weighed& x, const Weighed& y) { return x.value < y.value; });
  std::size_t distinct = 0;
  for (const Weighed& next : *values) {
    if (distinct > 0 && (*values)[distinct - 1].value == next.value)
      (*values)[distinct - 1].records += next.records;
    else
      (*values)[distinct++] = next;
  }
  values->resize(distinct);
}

// Nominal: the squared distance of a mismatch times the records without the mode. Ordinal: the sum
// of squared differences from the lower median, which the published class has.
double CodedError::cost_after(const Values& values, const Exchange& exchange, std::size_t a) const {
  if (space_->attribute(coded_[a]).kind == Kind::nominal)
    return space_->mismatch(coded_[a]) * static_cast<double>(mismatches_after(values, exchange));
  const auto last = values_after(values, exchange, &after_);
  return median_error(after_.cbegin(), last);
}

// The cost of a histogram as it is: that of an exchange of nothing.
double CodedError::cost_of(const Values& values, std::size_t a) const {
  if (space_->attribute(coded_[a]).kind == Kind::nominal)
    return space_->mismatch(coded_[a]) * static_cast<double>(mismatches_after(values, {}));
  return median_error(values.cbegin(), values.cend());
}

/// The records that do not have the mode.
Record CodedError::mismatches_after(const Values& values, const Exchange& exchange) {
  Record all = 0, most = 0, entering = exchange.in.records;
  for (const Weighed& here : values) {
    Record left = here.records;
    if (here.value == exchange.out.value) left -= exchange.out.records;
    if (here.value == exchange.in.value) {
      left += entering;
      entering = 0;
    }
    all += left;
    most = std::max(most, left);
  }
  return all + entering - std::max(most, entering);
}

}  // namespace anonkit
