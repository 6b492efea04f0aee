// Default IEEE rounding, subnormals kept, for the length of a scope: a host program linked with
// fast-math start-up code, or one that set flush-to-zero, must not change a bit of ours.
#ifndef TESSERA_KERNELS_CPU_FLOAT_ENVIRONMENT_H_
#define TESSERA_KERNELS_CPU_FLOAT_ENVIRONMENT_H_

#include <cfenv>

namespace tessera {

class DefaultFloatEnvironment {
 public:
  DefaultFloatEnvironment() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatEnvironment() { std::fesetenv(&saved_); }
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

 private:
  std::fenv_t saved_;
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_CPU_FLOAT_ENVIRONMENT_H_
