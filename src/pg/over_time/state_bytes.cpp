#include "pg/over_time/state_bytes.hpp"

#include <cstring>

#include "pg/backend/mac.hpp"
#include "pg/backend/session.hpp"
#include "pg/over_time/canonical.hpp"

namespace anonkit::pg {
namespace {

constexpr uint32 kFormat = 1;

/// Bytes that are read from the front. After the end, all numbers are 0. Plain data.
struct Reader {
  const uint8* at;
  std::size_t left;
  bool sound;
};

const uint8* take(Reader& reader, std::size_t size) {
  if (!reader.sound || size > reader.left) {
    reader.sound = false;
    return nullptr;
  }
  const uint8* bytes = reader.at;
  reader.at += size;
  reader.left -= size;
  return bytes;
}

uint64 take_number(Reader& reader, std::size_t size) {
  const uint8* bytes = take(reader, size);
  uint64 number = 0;
  for (std::size_t i = size; bytes != nullptr && i > 0; --i) number = number << 8 | bytes[i - 1];
  return number;
}

uint64 take_uint64(Reader& reader) {
  return take_number(reader, sizeof(uint64));
}

int64 take_int64(Reader& reader) {
  return static_cast<int64>(take_uint64(reader));
}

int32 take_int32(Reader& reader) {
  return static_cast<int32>(take_number(reader, sizeof(int32)));
}

/// A number of objects that take at least `size` bytes each; 0 if so many do not follow.
int take_count(Reader& reader, std::size_t size) {
  const uint64 count = take_number(reader, sizeof(uint32));
  if (count > reader.left / size) reader.sound = false;
  return reader.sound ? static_cast<int>(count) : 0;
}

double take_double(Reader& reader) {
  const uint64 bits = take_uint64(reader);
  double number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

const char* take_text(Reader& reader) {
  const int size = take_count(reader, 1);
  const uint8* letters = take(reader, static_cast<std::size_t>(size));
  if (letters == nullptr || std::memchr(letters, 0, static_cast<std::size_t>(size)) != nullptr) {
    reader.sound = false;
    return "";
  }
  return pnstrdup(reinterpret_cast<const char*>(letters), static_cast<Size>(size));
}

void add_bytes(StringInfo bytes, uint64 number, int size) {
  for (int i = 0; i < size; ++i, number >>= 8)
    appendStringInfoChar(bytes, static_cast<char>(number & 0xff));
}

void add_int32(StringInfo bytes, int64 number) {
  add_bytes(bytes, static_cast<uint64>(number), sizeof(int32));
}

void add_int64(StringInfo bytes, int64 number) {
  append_number(bytes, static_cast<uint64>(number));
}

void add_text(StringInfo bytes, const char* text) {
  const auto size = static_cast<int>(std::strlen(text));
  add_int32(bytes, size);
  appendBinaryStringInfo(bytes, text, size);
}

void add_enums(StringInfo bytes, const EnumColumns& enums) {
  add_int32(bytes, enums.count);
  for (int i = 0; i < enums.count; ++i) {
    const EnumLabels& labels = enums.columns[i];
    add_text(bytes, labels.column);
    add_int32(bytes, labels.count);
    for (int j = 0; j < labels.count; ++j) {
      add_text(bytes, labels.first[j]);
      add_text(bytes, labels.last[j]);
    }
  }
}

EnumLabels take_labels(Reader& reader) {
  EnumLabels labels = {};
  labels.column = take_text(reader);
  labels.count = take_count(reader, 2 * sizeof(uint32));
  labels.first = allocate<const char*>(labels.count);
  labels.last = allocate<const char*>(labels.count);
  for (int j = 0; j < labels.count; ++j) {
    labels.first[j] = take_text(reader);
    labels.last[j] = take_text(reader);
  }
  return labels;
}

EnumColumns take_enums(Reader& reader) {
  EnumColumns enums = {};
  enums.count = take_count(reader, 2 * sizeof(uint32));
  enums.columns = allocate<EnumLabels>(enums.count);
  for (int i = 0; i < enums.count; ++i) enums.columns[i] = take_labels(reader);
  return enums;
}

constexpr std::size_t kWaitingBytes = kPersonBytes + sizeof(int32);

void require_room(int64 waiting) {
  if (waiting > static_cast<int64>(MaxAllocSize / 2 / kWaitingBytes))
    ereport(ERROR,
            (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many persons wait for a place"),
             errdetail("Number of persons: " INT64_FORMAT ".", waiting)));
}

void add_waiting(StringInfo bytes, const Memory& memory) {
  require_room(memory.waiting_count);
  add_int64(bytes, memory.waiting_count);
  for (int64 i = 0; i < memory.waiting_count; ++i) {
    CHECK_FOR_INTERRUPTS();
    appendBinaryStringInfo(bytes, reinterpret_cast<const char*>(memory.waiting[i].person),
                           kPersonBytes);
    add_int32(bytes, memory.waiting[i].since);
  }
}

void take_waiting(Reader& reader, Memory& memory) {
  const uint64 count = take_uint64(reader);
  if (count > reader.left / kWaitingBytes) reader.sound = false;
  memory.waiting_count = reader.sound ? static_cast<int64>(count) : 0;
  memory.waiting = allocate<Waiting>(memory.waiting_count);
  for (int64 i = 0; reader.sound && i < memory.waiting_count; ++i) {
    CHECK_FOR_INTERRUPTS();
    Waiting& waiting = memory.waiting[i];
    std::memcpy(waiting.person, take(reader, kPersonBytes), kPersonBytes);
    waiting.since = take_int32(reader);
    const bool ordered =
        i == 0 || std::memcmp(memory.waiting[i - 1].person, waiting.person, kPersonBytes) < 0;
    if (!ordered || waiting.since < 1 || waiting.since > memory.version) reader.sound = false;
  }
}

/// True if the numbers are such that a refresh may have written them.
bool possible(const Memory& memory) {
  return memory.version >= 0 && memory.version < INT_MAX && memory.classes >= 0 &&
         memory.classes < INT_MAX && memory.present >= 0 && memory.places.rows >= memory.classes &&
         (memory.scale_count > 0 || memory.version == 0);
}

void take_fields(Reader& reader, Memory& memory) {
  if (take_number(reader, sizeof kFormat) != kFormat) reader.sound = false;
  if (const uint8* secret = take(reader, kSecretBytes))
    std::memcpy(memory.secret, secret, kSecretBytes);
  memory.version = take_int32(reader);
  memory.classes = take_int64(reader);
  memory.present = take_int64(reader);
  memory.first_loss = take_double(reader);
  memory.first_sst = take_double(reader);
  memory.places.rows = take_int64(reader);
  for (uint64& lane : memory.places.lanes) lane = take_uint64(reader);
  memory.scale_count = take_count(reader, sizeof(double));
  memory.scales = allocate<double>(memory.scale_count);
  for (int j = 0; j < memory.scale_count; ++j) memory.scales[j] = take_double(reader);
  memory.system = take_uint64(reader);
  memory.database = static_cast<Oid>(take_number(reader, sizeof(Oid)));
  memory.built = take_int64(reader);
  memory.columns = take_text(reader);
  memory.enums = take_enums(reader);
  memory.told_lacking = take_double(reader);
  memory.told_stratum = take_double(reader);
  take_waiting(reader, memory);
}

}  // namespace

bytea* bytes_of_state(const Memory& memory) {
  StringInfoData bytes;
  initStringInfo(&bytes);
  appendStringInfoSpaces(&bytes, VARHDRSZ);
  add_int32(&bytes, kFormat);
  appendBinaryStringInfo(&bytes, reinterpret_cast<const char*>(memory.secret), kSecretBytes);
  add_int32(&bytes, memory.version);
  add_int64(&bytes, memory.classes);
  add_int64(&bytes, memory.present);
  append_number(&bytes, bits_of(memory.first_loss));
  append_number(&bytes, bits_of(memory.first_sst));
  add_int64(&bytes, memory.places.rows);
  for (const uint64 lane : memory.places.lanes) append_number(&bytes, lane);
  add_int32(&bytes, memory.scale_count);
  for (int j = 0; j < memory.scale_count; ++j) append_number(&bytes, bits_of(memory.scales[j]));
  add_int64(&bytes, static_cast<int64>(memory.system));
  add_int32(&bytes, memory.database);
  add_int64(&bytes, memory.built);
  add_text(&bytes, memory.columns);
  add_enums(&bytes, memory.enums);
  append_number(&bytes, bits_of(memory.told_lacking));
  append_number(&bytes, bits_of(memory.told_stratum));
  add_waiting(&bytes, memory);
  uint8 seal[kMacBytes];
  const Mac mac = make_mac(memory.secret);
  mac_of(mac, Sealed::state, bytes.data + VARHDRSZ, static_cast<std::size_t>(bytes.len - VARHDRSZ),
         seal);
  appendBinaryStringInfo(&bytes, reinterpret_cast<const char*>(seal), kMacBytes);
  SET_VARSIZE(bytes.data, bytes.len);
  return reinterpret_cast<bytea*>(bytes.data);
}

bool read_state_bytes(const bytea* bytes, Memory& memory) {
  const std::size_t size = VARSIZE_ANY_EXHDR(bytes);
  if (size < kMacBytes) return false;
  const auto* content = reinterpret_cast<const uint8*>(VARDATA_ANY(bytes));
  Reader reader = {content, size - kMacBytes, true};
  memory = {};
  take_fields(reader, memory);
  if (!reader.sound || reader.left != 0 || !possible(memory)) return false;
  uint8 seal[kMacBytes];
  const Mac mac = make_mac(memory.secret);
  mac_of(mac, Sealed::state, content, size - kMacBytes, seal);
  return std::memcmp(seal, content + size - kMacBytes, kMacBytes) == 0;
}

}  // namespace anonkit::pg
