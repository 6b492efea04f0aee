// Arithmetic of f32 and f64, for the opcodes that integers have too.
#ifndef TESSERA_TESTS_SIMT_PTX_PTX_FLOAT_H_
#define TESSERA_TESTS_SIMT_PTX_PTX_FLOAT_H_

#include "tests/simt/ptx/ptx_builder.h"
#include "tests/simt/ptx/ptx_statement.h"
#include "tests/simt/ptx/ptx_types.h"

namespace simt::ptx {

// add, sub, mul, mad, div. The type is taken already.
void EmitFloatArithmetic(InstructionText& text, FunctionBuilder& builder, Type type);
// neg, abs.
void EmitFloatSign(InstructionText& text, FunctionBuilder& builder, Type type);
// min, max.
void EmitFloatExtreme(InstructionText& text, FunctionBuilder& builder, Type type);

// max.NaN.f16x2 or max.NaN.bf16x2.
void EmitPackedMax(InstructionText& text, FunctionBuilder& builder, bool half);

}  // namespace simt::ptx

#endif  // TESSERA_TESTS_SIMT_PTX_PTX_FLOAT_H_
