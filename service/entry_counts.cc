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

namespace tessera {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::ArrayInputStream;
using google::protobuf::io::CodedInputStream;
using google::protobuf::io::ConcatenatingInputStream;
using google::protobuf::io::ZeroCopyInputStream;

}  // namespace

absl::Status CheckEntryCounts(const grpc::ByteBuffer& request, const Limits& limits) {
  std::vector<grpc::Slice> slices;
  if (!request.Dump(&slices).ok()) return absl::OkStatus();
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
  EntryCounts counts;
  while (const uint32_t tag = input.ReadTag()) {
    const int field = WireFormatLite::GetTagFieldNumber(tag);
    counts.chains += field == v1::SampleTokensRequest::kChainsFieldNumber ? 1 : 0;
    counts.rows += field == v1::SampleTokensRequest::kRowsFieldNumber ? 1 : 0;
    counts.logits += field == v1::SampleTokensRequest::kLogitsFieldNumber ? 1 : 0;
    if (!WireFormatLite::SkipField(&input, tag)) break;
  }
  return CheckCounts(counts, limits);
}

}  // namespace tessera
