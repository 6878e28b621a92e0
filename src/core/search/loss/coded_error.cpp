#include "search/loss/coded_error.hpp"

#include <algorithm>

#include "base/at.hpp"

namespace anonkit {
namespace {

/// Calls visit(value, records) for each value of a histogram after an exchange, ascending.
template <class Values, class Exchange, class Visit>
void each_after(const Values& values, const Exchange& exchange, const Visit& visit) {
  bool entered = exchange.in.records == 0;
  for (const auto& [value, records] : values) {
    if (!entered && exchange.in.value < value) {
      visit(exchange.in.value, exchange.in.records);
      entered = true;
    }
    Record left = records;
    if (value == exchange.out.value) left -= exchange.out.records;
    if (!entered && value == exchange.in.value) {
      left += exchange.in.records;
      entered = true;
    }
    if (left > 0) visit(value, left);
  }
  if (!entered) visit(exchange.in.value, exchange.in.records);
}

}  // namespace

CodedError::CodedError(const Space& space) : space_(&space) {
  for (int j = 0; j < space.dimension(); ++j)
    if (space.attribute(j).kind != Kind::numeric) coded_.push_back(j);
}

void CodedError::begin(ClassId capacity) {
  histograms_.assign(at(capacity) * coded_.size(), {});
}

double CodedError::cost(const RecordSpan& members) const {
  double sum = 0;
  std::vector<Weighed> values;
  for (std::size_t a = 0; a < coded_.size(); ++a) {
    collect(members, a, &values);
    sum += cost_after(values, {}, a);
  }
  return sum;
}

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

void CodedError::apply(const Change& change) {
  std::vector<Weighed> after;
  for (std::size_t a = 0; a < coded_.size(); ++a) {
    const Exchange exchanged = exchange(change, a);
    if (!exchanged.changes()) continue;
    Histogram& now = histogram(change.id, a);
    after.clear();
    each_after(now.values, exchanged, [&](double value, Record records) {
      after.push_back({value, records});
    });
    now.values.assign(after.begin(), after.end());
    now.cost = cost_after(now.values, {}, a);
  }
}

void CodedError::assign(ClassId id, const RecordSpan& members) {
  for (std::size_t a = 0; a < coded_.size(); ++a) {
    Histogram& now = histogram(id, a);
    collect(members, a, &now.values);
    now.cost = cost_after(now.values, {}, a);
  }
}

CodedError::Weighed CodedError::weighed(Record i, std::size_t a) const {
  return {space_->row(i)[coded_[a]], space_->weight(i)};
}

CodedError::Exchange CodedError::exchange(const Change& change, std::size_t a) const {
  return {change.out != kNone ? weighed(change.out, a) : Weighed{},
          change.in != kNone ? weighed(change.in, a) : Weighed{}};
}

void CodedError::collect(const RecordSpan& members, std::size_t a,
                         std::vector<Weighed>* values) const {
  values->clear();
  for (const Record i : members) values->push_back(weighed(i, a));
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

// An even number of records has the lower median.
double CodedError::cost_after(const std::vector<Weighed>& values, const Exchange& exchange,
                              std::size_t a) const {
  Record records = exchange.in.records - exchange.out.records, most = 0;
  for (const Weighed& v : values) records += v.records;
  if (space_->attribute(coded_[a]).kind == Kind::nominal) {
    each_after(values, exchange, [&](double, Record count) { most = std::max(most, count); });
    return space_->mismatch(coded_[a]) * static_cast<double>(records - most);
  }
  double median = 0, sum = 0;
  std::int64_t seen = 0;
  each_after(values, exchange, [&](double value, Record count) {
    if (2 * seen < records) median = value;
    seen += count;
  });
  each_after(values, exchange, [&](double value, Record count) {
    sum += count * ((value - median) * (value - median));
  });
  return sum;
}

}  // namespace anonkit
