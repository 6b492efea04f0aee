#include "bench/gpu/options.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace tessera::bench {
namespace {

constexpr int64_t kMostBatch = 1024;
constexpr int64_t kMostMebibytes = 16384;
constexpr int64_t kMostRepeats = 10000;

std::string ParseNumbers(const std::string& name, const std::string& text, int64_t most,
                         std::vector<int64_t>* numbers) {
  numbers->clear();
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    int64_t number = 0;
    if (!absl::SimpleAtoi(part, &number) || number < 1 || number > most) {
      return absl::StrCat(name, " is \"", text, "\"; its numbers must be in [1, ", most, "]");
    }
    numbers->push_back(number);
  }
  return "";
}

std::string ParseNumber(const std::string& name, const std::string& text, int64_t most,
                        int64_t* number) {
  std::vector<int64_t> numbers;
  const std::string wrong = ParseNumbers(name, text, most, &numbers);
  if (!wrong.empty()) return wrong;
  if (numbers.size() != 1) return absl::StrCat(name, " is \"", text, "\"; it must be one number");
  *number = numbers[0];
  return "";
}

std::string ParseValue(const std::string& name, const std::string& value, Options* options) {
  if (name == "--batches") return ParseNumbers(name, value, kMostBatch, &options->batches);
  if (name == "--columns") return ParseNumbers(name, value, kMaxVocabulary, &options->columns);
  if (name == "--flush-mib") return ParseNumber(name, value, kMostMebibytes, &options->flush_mib);
  if (name == "--copy-mib") return ParseNumber(name, value, kMostMebibytes, &options->copy_mib);
  if (name == "--json") {
    options->json = value;
    return "";
  }
  int64_t repeats = 0;
  const std::string wrong = ParseNumber(name, value, kMostRepeats, &repeats);
  options->repeats = static_cast<int>(repeats);
  return wrong;
}

}  // namespace

std::string ParseOptions(int argc, char** argv, Options* options) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--quick") {
      options->repeats = 11;
    } else if (name == "--require-device") {
      options->require_device = true;
    } else if (name == "--dry-run") {
      options->dry_run = true;
    } else if (name == "--help" || name == "-h") {
      options->help = true;
    } else if (name == "--batches" || name == "--columns" || name == "--repeats" ||
               name == "--flush-mib" || name == "--copy-mib" || name == "--json") {
      if (i + 1 == argc) return absl::StrCat(name, " wants a value");
      const std::string wrong = ParseValue(name, argv[++i], options);
      if (!wrong.empty()) return wrong;
    } else {
      return absl::StrCat("no option '", name, "'");
    }
  }
  return "";
}

const std::vector<NamedChain>& BenchChains() {
  static const auto& chains = *new std::vector<NamedChain>{
      {"no filter", {}},
      {"top-k 50 + top-p 0.9", {{TopK{50}, TopP{0.9}}}},
      {"top-p 0.9", {{TopP{0.9}}}},
  };
  return chains;
}

// Cases that share their rows stand together.
std::vector<Case> AllCases(const Options& options) {
  std::vector<Case> cases;
  for (const int64_t columns : options.columns) {
    for (const DType dtype : {DType::kBfloat16, DType::kFloat32}) {
      for (const Shape shape : {Shape::kReal, Shape::kPeaked, Shape::kFlat}) {
        for (size_t chain = 0; chain < BenchChains().size(); ++chain) {
          for (const int64_t rows : options.batches) {
            cases.push_back({shape, dtype, columns, static_cast<int>(chain), rows});
          }
        }
      }
    }
  }
  return cases;
}

}  // namespace tessera::bench
