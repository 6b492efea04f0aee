// A table for people: columns as wide as their widest cell.
#ifndef TESSERA_CLIENT_CLI_TEXT_TABLE_H_
#define TESSERA_CLIENT_CLI_TEXT_TABLE_H_

#include <string>
#include <vector>

namespace tessera::cli {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> head);

  // As many cells as the head has, or fewer.
  void Add(std::vector<std::string> cells);

  // Cells that look like numbers stand to the right, others to the left. No trailing spaces.
  std::string Text() const;

 private:
  std::vector<std::vector<std::string>> lines_;
};

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_TEXT_TABLE_H_
