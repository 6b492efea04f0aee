// A verification under way: a coroutine that reads like its published algorithm, and stops where it
// needs residuals. Whoever drives it answers many sequences in one pass over their rows.
#ifndef TESSERA_KERNELS_VERIFICATION_DECISION_H_
#define TESSERA_KERNELS_VERIFICATION_DECISION_H_

#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "kernels/residual_input.h"
#include "kernels/types.h"
#include "kernels/verification/verdict.h"

namespace tessera {

// The residual max(a * P_v - b * Q_v, 0) of a position, 0 on `excluded`. The answer is its total
// and, where a draw is wanted and the total is not 0, a token.
struct ResidualAsk {
  uint32_t position = 0;
  uint64_t a = 1;                 // in [1, 2^63)
  uint64_t b = 0;                 // in [0, 2^63); 0: no draft law is read
  std::vector<TokenId> excluded;  // distinct, at most one per child of the position
  bool draw = false;
};

// Move-only owner of a coroutine. A coroutine returning it may write
//     const ResidualResult one = co_await ask;        // ResidualAsk
//     const std::vector<ResidualResult> all = co_await asks;  // std::vector<ResidualAsk>
// and ends by co_return of a Verdict. It runs to its first question at once.
//
//     Decision decision = Block(tree, coins);
//     while (!decision.done()) decision.Resume(answers to decision.asks(), in their order);
//     use decision.verdict()
class Decision {
 public:
  class promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  explicit Decision(Handle handle) : handle_(handle) {}
  Decision(Decision&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Decision& operator=(Decision&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Decision() {
    if (handle_) handle_.destroy();
  }

  bool done() const { return handle_.done(); }
  inline absl::Span<const ResidualAsk> asks() const;  // not empty; while not done
  inline void Resume(absl::Span<const ResidualResult> answers);
  inline const Verdict& verdict() const;  // once done

 private:
  Handle handle_;
};

class Decision::promise_type {
 public:
  Decision get_return_object() { return Decision(Handle::from_promise(*this)); }
  std::suspend_never initial_suspend() noexcept { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_value(Verdict verdict) { verdict_ = std::move(verdict); }
  void unhandled_exception() { std::terminate(); }

  struct Several {
    promise_type& promise;
    bool await_ready() const noexcept { return promise.asks_.empty(); }
    void await_suspend(Handle /*handle*/) const noexcept {}
    std::vector<ResidualResult> await_resume() const {
      return {promise.answers_.begin(), promise.answers_.end()};
    }
  };
  struct One {
    promise_type& promise;
    bool await_ready() const noexcept { return false; }
    void await_suspend(Handle /*handle*/) const noexcept {}
    ResidualResult await_resume() const { return promise.answers_.front(); }
  };
  Several await_transform(std::vector<ResidualAsk> asks) {
    asks_ = std::move(asks);
    answers_ = {};
    return {*this};
  }
  One await_transform(ResidualAsk ask) {
    asks_.clear();
    asks_.push_back(std::move(ask));
    return {*this};
  }

 private:
  friend class Decision;
  std::vector<ResidualAsk> asks_;
  absl::Span<const ResidualResult> answers_;  // while the coroutine runs
  Verdict verdict_;
};

inline absl::Span<const ResidualAsk> Decision::asks() const { return handle_.promise().asks_; }

inline void Decision::Resume(absl::Span<const ResidualResult> answers) {
  handle_.promise().answers_ = answers;
  handle_.resume();
}

inline const Verdict& Decision::verdict() const { return handle_.promise().verdict_; }

}  // namespace tessera

#endif  // TESSERA_KERNELS_VERIFICATION_DECISION_H_
