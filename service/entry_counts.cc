#include "service/entry_counts.h"

#include <climits>
#include <memory>
#include <vector>

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/wire_format_lite.h"
#include "grpcpp/support/slice.h"
#include "service/decode_request.h"
#include "tessera/v1/sampling.pb.h"
#include "tessera/v1/verification.pb.h"

namespace tessera {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::ArrayInputStream;
using google::protobuf::io::CodedInputStream;
using google::protobuf::io::ConcatenatingInputStream;
using google::protobuf::io::ZeroCopyInputStream;

// Which fields of a message are counted as what.
struct CountedFields {
  int chains;
  int rows;
  int logits;
  int more_logits;  // counted with `logits`
};

// Nothing is counted in what cannot be read.
EntryCounts CountsOf(const grpc::ByteBuffer& request, const CountedFields& fields) {
  EntryCounts counts;
  std::vector<grpc::Slice> slices;
  if (!request.Dump(&slices).ok()) return counts;
  std::vector<std::unique_ptr<ArrayInputStream>> pieces;
  std::vector<ZeroCopyInputStream*> streams;
  for (const grpc::Slice& slice : slices) {
    pieces.push_back(
        std::make_unique<ArrayInputStream>(slice.begin(), static_cast<int>(slice.size())));
    streams.push_back(pieces.back().get());
  }
  ConcatenatingInputStream all(streams.data(), static_cast<int>(streams.size()));
  CodedInputStream input(&all);
  input.SetTotalBytesLimit(INT_MAX);
  while (const uint32_t tag = input.ReadTag()) {
    const int field = WireFormatLite::GetTagFieldNumber(tag);
    counts.chains += field == fields.chains ? 1 : 0;
    counts.rows += field == fields.rows ? 1 : 0;
    counts.logits += field == fields.logits || field == fields.more_logits ? 1 : 0;
    if (!WireFormatLite::SkipField(&input, tag)) break;
  }
  return counts;
}

}  // namespace

absl::Status CheckEntryCounts(const grpc::ByteBuffer& request, const Limits& limits) {
  using Request = v1::SampleTokensRequest;
  return CheckCounts(CountsOf(request, {Request::kChainsFieldNumber, Request::kRowsFieldNumber,
                                        Request::kLogitsFieldNumber, Request::kLogitsFieldNumber}),
                     limits);
}

absl::Status CheckVerificationEntryCounts(const grpc::ByteBuffer& request, const Limits& limits) {
  using Request = v1::VerifyDraftsRequest;
  return CheckCounts(
      CountsOf(request, {Request::kChainsFieldNumber, Request::kSequencesFieldNumber,
                         Request::kTargetLogitsFieldNumber, Request::kDraftLogitsFieldNumber}),
      limits, "sequences");
}

}  // namespace tessera
