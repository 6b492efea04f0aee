"""Which preset is which engine of tests/data/engine_oracles.json, and what it refuses."""

import api


def chain(name, **parameters):
    """A chain that is a preset: numbers, texts and switches by the engine's names."""
    one = api.chain_pb2.SamplerChain()
    one.preset.name = name
    for key, value in parameters.items():
        if isinstance(value, str):
            one.preset.parameters[key].text = value
        else:
            one.preset.parameters[key].number = value
    return one


def explicit(**stages):
    """A chain of stages given by their fields: explicit(top_k={"k": 5}, xtc={...})."""
    return api.chain_pb2.SamplerChain(stages=[
        api.chain_pb2.SamplerStage(**{name: fields}) for name, fields in stages.items()])


def hf(**parameters):
    return chain("hf-transformers", do_sample=True, top_k=0, **parameters)


def llamacpp(sampler, **parameters):
    return chain("llamacpp", samplers=sampler, **parameters)


def exl2(**parameters):
    return chain("exllamav2", temperature=1, top_p=1, **{"top_k": 1024, **parameters})


def _four(t, k, p, m):
    return {"temperature": t, "top_k": k, "top_p": p, "min_p": m}


def _sampling(t, k, p, m):
    return {"do_sample": True, **_four(t, k, p, m)}


def _minus_one_is_off(t, k, p, m):
    return {**_four(t, k, p, m), "top_k": k or -1}


def _without_neutral(t, k, p, m):
    """Left out where neutral: a name that the engine does not have is refused with any value."""
    neutral = {"temperature": None, "top_k": 0, "top_p": 1, "min_p": 0}
    return {name: value for name, value in _four(t, k, p, m).items() if value != neutral[name]}


def _tgi(t, k, p, m):
    return {"do_sample": True, **_without_neutral(t, k, p, m)}


# The name of an engine in the oracles: the preset, and its parameters for (t, k, p, m).
PRESETS = {
    "vllm_torch": ("vllm-torch", _four),
    "vllm_triton": ("vllm-triton", _four),
    "vllm_flashinfer": ("vllm-flashinfer", _four),
    "hf": ("hf-transformers", _sampling),
    "llamacpp": ("llamacpp", _four),
    "sglang_flashinfer": ("sglang-flashinfer", _minus_one_is_off),
    "sglang_pytorch": ("sglang-pytorch", _minus_one_is_off),
    "trtllm_torch": ("trtllm-torch", _four),
    "trtllm_flashinfer": ("trtllm-flashinfer", _four),
    "trtllm_cpp": ("trtllm-cpp", _four),
    "tgi": ("tgi", _tgi),
    "mlc_cpu": ("mlc-cpu", _without_neutral),
    "mlc_renorm": ("mlc-renorm", _without_neutral),
    "exl2": ("exllamav2", _four),
    "exl3": ("exllamav3", _four),
}

# Samplers that the oracles do not name.
FURTHER = {
    "vllm_mrv2": ("vllm-mrv2", _four),
    "trtmc": ("trtmc", _four),
    "numpy_descending": ("numpy-descending", _without_neutral),
    "openai": ("openai", _without_neutral),
}

# Defined outcomes that a preset refuses: the engine, for which (t, k, p, m), words of the message.
REFUSALS = [
    # Its top-p skips what does not fit and goes on with smaller ones: no prefix of the order.
    ("exl2", lambda t, k, p, m: t >= 0.01 and k != 1 and 0 < p < 1,
     "exllamav2.top_p is {p:g}; it must be 0 or 1 (off)"),
    # A shortcut of its sampler over-weights the likeliest token.
    ("mlc_cpu", lambda t, k, p, m: t > 1e-5 and 0 < p < 1 - 1e-5,
     "mlc-cpu.top_p is {p:g}; it must be 0, or at least 1 - 1e-5"),
]

# Engines whose rule leaves open which of equal logits stay; others say, and must be met exactly.
OPEN_TIES = {"vllm_torch", "hf", "llamacpp", "sglang_pytorch", "trtllm_torch", "trtllm_cpp", "tgi",
             "exl2"}


def of(engine, parameters):
    """The chain of a sampler's preset for Parameters."""
    name, names = {**PRESETS, **FURTHER}[engine]
    t, k, p, m = parameters
    return chain(name, **names(float(t), k, float(p), float(m)))


def documented_refusal(engine, parameters):
    """Words of the message with which the preset refuses parameters that its engine takes."""
    t, k, p, m = (float(value) for value in parameters)
    for name, refuses, words in REFUSALS:
        if name == engine and refuses(t, k, p, m):
            return words.format(p=p)
    return None
