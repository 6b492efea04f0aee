// A module as it is read: functions, and memory of .global and .const variables.
#ifndef TESSERA_TESTS_SIMT_PTX_PTX_MODULE_H_
#define TESSERA_TESTS_SIMT_PTX_PTX_MODULE_H_

#include <cstddef>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

#include "tests/simt/ptx/ptx_builder.h"
#include "tests/simt/ptx/ptx_declaration.h"
#include "tests/simt/ptx/ptx_instruction.h"
#include "tests/simt/ptx/ptx_statement.h"

namespace simt::ptx {

struct AlignedDelete {
  void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{256}); }
};

struct ModuleCode {
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<std::unique_ptr<std::byte, AlignedDelete>> memory;
  size_t static_shared = 0;
};

class ModuleReader {
 public:
  explicit ModuleReader(std::string_view text) : reader_(text) {}
  std::shared_ptr<const ModuleCode> Read();

 private:
  struct PendingAddress {
    std::byte* place;
    AddressWord word;
    int line;
  };
  struct DynamicSlot {
    Function* function;
    size_t slot;
  };

  void ReadDirective(const Statement& statement);
  void ReadVariable(const Statement& statement);
  void ReadFunction(const Statement& header);
  void ReadBody(Function* function, FunctionBuilder& builder);
  void PlaceShared(const Declaration& declaration);
  void PlaceGlobal(const Declaration& declaration, int line);
  void Link();

  StatementReader reader_;
  std::shared_ptr<ModuleCode> code_ = std::make_shared<ModuleCode>();
  Variables variables_;
  std::vector<PendingAddress> addresses_;
  std::vector<DynamicSlot> dynamic_slots_;
};

}  // namespace simt::ptx

#endif  // TESSERA_TESTS_SIMT_PTX_PTX_MODULE_H_
