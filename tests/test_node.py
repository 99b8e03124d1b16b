"""Node is there for the tests that need it."""

from subprocess import run

from tests.node import npm, run_node


def test_node_runs_modules_and_knows_how_to_check_an_ed25519_signature():
    script = (
        "const pair = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);"
        "const said = new TextEncoder().encode('head');"
        "const signature = await crypto.subtle.sign('Ed25519', pair.privateKey, said);"
        "console.log(await crypto.subtle.verify('Ed25519', pair.publicKey, signature, said));"
    )
    done = run_node("--no-warnings", "--input-type=module", "--eval", script)
    assert (done.returncode, done.stdout, done.stderr) == (0, "true\n", "")


def test_what_node_is_given_and_answers_is_passed_on():
    done = run_node("--eval", "process.stdin.pipe(process.stdout); process.exitCode = Number(process.env.STATUS)", said="é", env={"STATUS": "3"})
    assert (done.returncode, done.stdout) == (3, "é")


def test_npm_is_there():
    done = run([*npm(), "--version"], capture_output=True, text=True, check=True)
    assert int(done.stdout.split(".")[0]) >= 9
