#include "service/options.h"

#include <fstream>
#include <iterator>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "service/flags.h"

namespace tessera {
namespace {

// One setting and where it was made: "--max-rows" or "tessera.conf:3: max-rows".
struct Setting {
  std::string name;
  std::string value;
  std::string origin;
};

// Settings of one source. A source that names listeners replaces those of earlier sources.
absl::Status Apply(const std::vector<Setting>& settings, Options* options) {
  for (const Setting& setting : settings) {
    if (setting.name == "listen") {
      options->listen.clear();
      break;
    }
  }
  for (const Setting& setting : settings) {
    const Flag* flag = FindFlag(setting.name);
    if (flag == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat(setting.origin, " is unknown; tesserad --help lists what there is"));
    }
    absl::Status status = flag->set(setting.value, options);
    if (!status.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(setting.origin, status.message()));
    }
  }
  return absl::OkStatus();
}

// The arguments as settings; --help, --version and --config are taken out.
absl::StatusOr<std::vector<Setting>> Split(absl::Span<const char* const> arguments,
                                           Options* options, std::string* config) {
  std::vector<Setting> settings;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const absl::string_view argument = arguments[i];
    absl::string_view name = argument;
    if (!absl::ConsumePrefix(&name, "--")) {
      return absl::InvalidArgumentError(absl::StrCat(
          "'", argument, "' is not a flag; flags are written --name=value or --name value"));
    }
    if (name == "help" || name == "version") {
      (name == "help" ? options->help : options->version) = true;
      continue;
    }
    std::string value;
    if (const size_t equals = name.find('='); equals != absl::string_view::npos) {
      value = std::string(name.substr(equals + 1));
      name = name.substr(0, equals);
    } else if (i + 1 < arguments.size()) {
      value = arguments[++i];
    } else {
      return absl::InvalidArgumentError(absl::StrCat("--", name, " has no value"));
    }
    if (name == "config") {
      *config = value;
    } else {
      settings.push_back({std::string(name), value, absl::StrCat("--", name)});
    }
  }
  return settings;
}

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) {
    return absl::InvalidArgumentError(
        absl::StrCat("--config is '", path, "', which cannot be read"));
  }
  return text;
}

}  // namespace

absl::Status ApplyConfig(absl::string_view text, absl::string_view source, Options* options) {
  std::vector<Setting> settings;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || absl::StartsWith(line, "#")) continue;
    const std::pair<absl::string_view, absl::string_view> pair =
        absl::StrSplit(line, absl::MaxSplits('=', 1));
    if (!absl::StrContains(line, '=')) {
      return absl::InvalidArgumentError(
          absl::StrCat(source, ":", number, ": '", line, "' is not a setting; write name = value"));
    }
    const absl::string_view name = absl::StripAsciiWhitespace(pair.first);
    settings.push_back({std::string(name), std::string(absl::StripAsciiWhitespace(pair.second)),
                        absl::StrCat(source, ":", number, ": ", name)});
  }
  return Apply(settings, options);
}

absl::StatusOr<Options> ParseOptions(absl::Span<const char* const> arguments) {
  Options options;
  std::string config;
  absl::StatusOr<std::vector<Setting>> settings = Split(arguments, &options, &config);
  if (!settings.ok()) return settings.status();
  if (!config.empty()) {
    absl::StatusOr<std::string> text = ReadFile(config);
    if (!text.ok()) return text.status();
    if (absl::Status status = ApplyConfig(*text, config, &options); !status.ok()) return status;
  }
  if (absl::Status status = Apply(*settings, &options); !status.ok()) return status;
  if (options.admission.max_bytes < options.limits.max_unary_bytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--max-inflight-bytes is ", options.admission.max_bytes,
        "; it must be at least --max-unary-bytes, which is ", options.limits.max_unary_bytes));
  }
  return options;
}

std::string HelpText() {
  std::string text =
      "tesserad draws tokens from logits over gRPC (tessera.v1.SamplerService), exactly:\n"
      "the same request gives the same tokens in any batch on any machine.\n"
      "\n"
      "Examples:\n"
      "  tesserad                                       serve on 127.0.0.1:50051\n"
      "  tesserad --listen 0.0.0.0:50051 --admin-listen 0.0.0.0:8080\n"
      "                                                 all interfaces, with probes over HTTP\n"
      "  tesserad --listen unix:/run/tessera.sock       same host only, faster\n"
      "  tesserad --listen 127.0.0.1:0 --port-file p    any free port, written to file p\n"
      "  tesserad --config tesserad.conf --threads 4    a file of `name = value` lines; flags win\n"
      "Then ask it what it can do:\n"
      "  tessera info --server 127.0.0.1:50051\n"
      "  grpcurl -plaintext 127.0.0.1:50051 tessera.v1.SamplerService/GetCapabilities\n"
      "\n"
      "There is no encryption and no authentication: keep it on a trusted network.\n"
      "SIGTERM and SIGINT stop it gracefully; a second one stops it at once.\n"
      "\n"
      "Flags, as --name=value or --name value:\n";
  const Options defaults;
  for (const Flag& flag : Flags()) {
    const std::string shown = flag.show(defaults);
    absl::StrAppend(&text, "  --", flag.name, " ", flag.value, "\n      ", flag.help,
                    shown.empty() ? "" : absl::StrCat(" [", shown, "]"), ".\n");
  }
  absl::StrAppend(
      &text,
      "  --config FILE\n      The same names without dashes, one `name = value` a line; "
      "# begins a comment line.\n"
      "  --version\n  --help\n");
  return text;
}

}  // namespace tessera
