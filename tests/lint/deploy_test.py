"""deploy/base and deploy/cuda render to what a cluster accepts and an operator expects; the Dockerfile agrees."""

import pathlib
import re
import shutil
import subprocess

import pytest
import yaml

DEPLOY = pathlib.Path(__file__).resolve().parents[2] / "deploy"


@pytest.fixture(name="rendered", scope="module", params=["base", "cuda"])
def _rendered(request):
    """What kustomize makes of a folder, by kind."""
    if shutil.which("kubectl") is None:
        pytest.skip("there is no kubectl on this machine (scripts/setup deploy installs it)")
    ran = subprocess.run(["kubectl", "kustomize", str(DEPLOY / request.param)], capture_output=True,
                         text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    documents = [d for d in yaml.safe_load_all(ran.stdout) if d]
    assert sorted(d["kind"] for d in documents) == ["Deployment", "Service"]
    return {d["kind"]: d for d in documents}


@pytest.fixture(name="pod")
def _pod(rendered):
    return rendered["Deployment"]["spec"]["template"]


@pytest.fixture(name="container")
def _container(pod):
    containers = pod["spec"]["containers"]
    assert len(containers) == 1
    return containers[0]


def test_the_service_is_headless_and_finds_the_pods(rendered, pod, container):
    service = rendered["Service"]["spec"]
    assert service["clusterIP"] == "None"
    labels = pod["metadata"]["labels"]
    assert service["selector"].items() <= labels.items()
    assert rendered["Deployment"]["spec"]["selector"]["matchLabels"].items() <= labels.items()
    names = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert [port["targetPort"] for port in service["ports"]] == ["grpc"]
    assert service["ports"][0]["port"] == names["grpc"]


def test_the_arguments_listen_where_the_ports_say(container):
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert f"--listen=0.0.0.0:{ports['grpc']}" in container["args"]
    assert f"--admin-listen=0.0.0.0:{ports['admin']}" in container["args"]


def test_probes_ask_the_admin_port(container):
    asked = {name: container[name]["httpGet"] for name in
             ("startupProbe", "livenessProbe", "readinessProbe")}
    assert all(probe["port"] == "admin" for probe in asked.values())
    assert asked["livenessProbe"]["path"] == "/livez"
    assert asked["startupProbe"]["path"] == asked["readinessProbe"]["path"] == "/readyz"


def test_a_pod_has_time_to_finish_its_calls(pod, container):
    seconds = [int(value) for argument in container["args"] for value in
               re.findall(r"^--(?:drain-delay|shutdown-grace)=(\d+)s$", argument)]
    assert len(seconds) == 2
    assert pod["spec"]["terminationGracePeriodSeconds"] > sum(seconds)


def test_resources_are_bounded(container):
    for bound in ("requests", "limits"):
        assert {"cpu", "memory"} <= set(container["resources"][bound])


def test_a_pod_that_wants_cuda_has_a_device_and_the_image_for_it(container):
    """And a pod that does not, has none: a device is dear."""
    cuda = "--backend=cuda" in container["args"]
    assert cuda or "--backend=cpu" in container["args"]
    assert container["resources"]["limits"].get("nvidia.com/gpu") == ("1" if cuda else None)
    assert container["image"].endswith("-cuda") == cuda


def test_the_container_can_do_little(pod, container):
    assert pod["spec"]["securityContext"]["runAsNonRoot"] is True
    assert pod["spec"]["securityContext"]["runAsUser"] > 0
    assert pod["spec"]["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["spec"]["automountServiceAccountToken"] is False
    inside = container["securityContext"]
    assert inside["readOnlyRootFilesystem"] is True
    assert inside["allowPrivilegeEscalation"] is False
    assert inside["capabilities"] == {"drop": ["ALL"]}


def test_the_image_has_a_fixed_tag(container):
    assert re.fullmatch(r"tesserad:\d+\.\d+\.\d+(-cuda)?", container["image"])


def stages():
    """The Dockerfile's stages: name -> its instructions, in order."""
    found = {}
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    for line in text.splitlines():
        start = re.fullmatch(r"FROM (\S+) AS (\S+)", line)
        if start:
            found[start.group(2)] = [line]
        elif line and not line.startswith("#"):
            assert found, f"an instruction before any stage: {line}"
            found[list(found)[-1]].append(line)
    return found


def test_the_dockerfile_has_both_targets_and_makes_the_cpu_one_by_default():
    assert list(stages())[-1] == "cpu"
    assert "cuda" in stages()


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_an_image_runs_as_nobody_and_listens_where_the_pod_does(target, container):
    lines = stages()[target]
    assert "USER 65532:65532" in lines
    ports = [str(port["containerPort"]) for port in container["ports"]]
    assert f"EXPOSE {' '.join(ports)}" in lines
    assert lines.index("USER 65532:65532") > max(
        i for i, line in enumerate(lines) if line.startswith(("RUN", "COPY")))


def test_what_is_copied_comes_from_a_stage_that_exists():
    for name, lines in stages().items():
        for line in lines:
            source = re.match(r"COPY --from=(\S+)", line)
            if source:
                earlier = list(stages())[: list(stages()).index(name)]
                assert source.group(1) in earlier
