#include "service/port_file.h"

#include <cstdio>
#include <fstream>

#include "absl/strings/str_cat.h"

namespace tessera {

absl::Status WritePortFile(const std::string& path, const std::vector<int>& ports, int admin_port) {
  const std::string unfinished = absl::StrCat(path, ".unfinished");
  std::ofstream file(unfinished, std::ios::trunc);
  for (int port : ports) file << port << '\n';
  if (admin_port != 0) file << "admin " << admin_port << '\n';
  file.close();
  if (!file || std::rename(unfinished.c_str(), path.c_str()) != 0) {
    return absl::UnavailableError(
        absl::StrCat("--port-file is '", path, "', which cannot be written"));
  }
  return absl::OkStatus();
}

}  // namespace tessera
