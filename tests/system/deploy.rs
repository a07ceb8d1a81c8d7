//! What `deploy/` holds works: the Slurm scripts run here as Slurm would run them, the Kubernetes
//! manifests' containers as Kubernetes would, and the parts of both merge into the whole.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;
use yaml_rust2::{Yaml, YamlLoader};

const TOOL: &str = env!("CARGO_BIN_EXE_onnx-conformance");

fn deployed(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(file)
}

/// Runs a command and expects an exit code.
fn run(command: &mut Command, code: i32) -> Output {
    let output = command.env("NO_COLOR", "1").output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{command:?}: {message}");
    output
}

/// The campaign in a folder without its provenance.
fn contents(folder: &Path) -> serde_json::Value {
    contents_of("campaign", folder)
}

/// The campaign or the atlas in a folder without its provenance.
fn contents_of(kind: &str, folder: &Path) -> serde_json::Value {
    let text = fs::read(folder.join(kind).with_extension("json")).unwrap();
    let mut document: serde_json::Value = serde_json::from_slice(&text).unwrap();
    document.as_object_mut().unwrap().remove("provenance").unwrap();
    document
}

/// The whole campaign that options describe, executed at once.
fn whole(options: &[&str]) -> serde_json::Value {
    whole_of("campaign", options)
}

/// The whole campaign or atlas that options describe.
fn whole_of(kind: &str, options: &[&str]) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    run(Command::new(TOOL).arg(kind).args(options).arg("--out").arg(folder.path()), 0);
    contents_of(kind, folder.path())
}

/// Runs a batch script with the variables that Slurm sets for a task of `--array=1-COUNT`.
fn task(script: &str, id: usize, count: usize, arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new("bash");
    command.arg(deployed(script)).args(arguments).current_dir(folder);
    command.env("ONNX_CONFORMANCE", TOOL).env("SLURM_CPUS_PER_TASK", "1");
    let last = count.to_string();
    for (name, value) in [
        ("ID", id.to_string().as_str()),
        ("COUNT", &last),
        ("MIN", "1"),
        ("MAX", &last),
        ("STEP", "1"),
    ] {
        command.env(format!("SLURM_ARRAY_TASK_{name}"), value);
    }
    command
}

#[test]
fn the_tasks_of_the_slurm_script_merge_into_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["Div", "bfloat16", "significands", "out", "--exponents=-3,5", "--signs=-+"];
    for id in 1..=8 {
        if id == 5 {
            // Nothing is merged, or written, while a part is missing.
            let merged = run(&mut task("slurm/merge.sbatch", 1, 1, &["out"], folder.path()), 2);
            let message = String::from_utf8(merged.stderr).unwrap();
            assert!(message.contains("no campaign given executed the inputs"), "{message}");
            assert!(!folder.path().join("out/campaign.json").exists());
        }
        run(&mut task("slurm/campaign.sbatch", id, 8, &arguments, folder.path()), 0);
    }
    run(&mut task("slurm/merge.sbatch", 1, 1, &["out"], folder.path()), 0);
    let options = ["--op=Div", "--type=bfloat16", "--strategy=significands"];
    let options = [&options[..], &arguments[4..]].concat();
    assert_eq!(contents(&folder.path().join("out")), whole(&options));
}

#[test]
fn the_tasks_of_an_atlas_on_slurm_merge_into_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["out", "--op", "Sigmoid,Tanh", "--type=float16"];
    let mut merge = task("slurm/merge.sbatch", 1, 1, &["out", "atlas"], folder.path());
    for id in 1..=3 {
        if id == 3 {
            let message = String::from_utf8(run(&mut merge, 2).stderr).unwrap();
            assert!(message.contains("part 3/3 of Sigmoid of float16"), "{message}");
            assert!(!folder.path().join("out/atlas.json").exists());
        }
        run(&mut task("slurm/atlas.sbatch", id, 3, &arguments, folder.path()), 0);
    }
    run(&mut merge, 0);
    let merged = contents_of("atlas", &folder.path().join("out"));
    assert_eq!(merged, whole_of("atlas", &arguments[1..]));
}

#[test]
fn the_slurm_script_says_how_it_is_used_where_it_is_used_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["Div", "int8", "exhaustive", "out"];
    let refused = |command: &mut Command| {
        let message = String::from_utf8(run(command, 2).stderr).unwrap();
        assert!(message.starts_with("usage: sbatch --array=1-N"), "{message}");
    };
    refused(&mut task("slurm/campaign.sbatch", 1, 8, &arguments[..3], folder.path()));
    // A part of an array, which would take itself for a whole one; and no array at all.
    let mut part = task("slurm/campaign.sbatch", 5, 5, &arguments, folder.path());
    refused(part.env("SLURM_ARRAY_TASK_MIN", "5"));
    refused(part.env_remove("SLURM_ARRAY_TASK_MIN"));
    refused(&mut task("slurm/atlas.sbatch", 1, 8, &[], folder.path()));
    let mut part = task("slurm/atlas.sbatch", 5, 5, &["out"], folder.path());
    refused(part.env("SLURM_ARRAY_TASK_MIN", "5"));
    assert!(!folder.path().join("out").exists());
}

/// A manifest of one document.
fn manifest(file: &str) -> Yaml {
    let text = fs::read_to_string(deployed("kubernetes").join(file)).unwrap();
    let [manifest] = <[Yaml; 1]>::try_from(YamlLoader::load_from_str(&text).unwrap()).unwrap();
    manifest
}

/// The container of a Job.
fn container(job: &Yaml) -> &Yaml {
    assert_eq!(job["kind"].as_str(), Some("Job"));
    &job["spec"]["template"]["spec"]["containers"][0]
}

fn texts(list: &Yaml) -> Vec<&str> {
    list.as_vec().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

/// The environment variable that a container sets.
fn variable<'a>(container: &'a Yaml, name: &str) -> &'a str {
    let variables = container["env"].as_vec().unwrap();
    let found = variables.iter().find(|variable| variable["name"].as_str() == Some(name));
    found.unwrap()["value"].as_str().unwrap()
}

/// The tool's name in a folder of its own, for `PATH`.
fn path_with_the_tool() -> (TempDir, String) {
    let bin = tempfile::tempdir().unwrap();
    fs::hard_link(TOOL, bin.path().join("onnx-conformance"))
        .or_else(|_| fs::copy(TOOL, bin.path().join("onnx-conformance")).map(drop))
        .unwrap();
    let path = format!("{}:{}", bin.path().display(), std::env::var("PATH").unwrap());
    (bin, path)
}

#[test]
fn the_indexes_of_the_kubernetes_job_merge_into_the_whole() {
    let options = ["--op=Div", "--type=bfloat16", "--strategy=significands"];
    let merged = merged_of_indexes("campaign", "merge.yaml", "bfloat16");
    assert_eq!(merged, whole(&options));
}

#[test]
fn the_indexes_of_the_kubernetes_job_of_an_atlas_merge_into_the_whole() {
    let merged = merged_of_indexes("atlas", "atlas-merge.yaml", "float16");
    assert_eq!(merged, whole_of("atlas", &["--op=Exp,Log,Sin,Tanh", "--type=float16"]));
}

/// Runs what the manifest of a job says for each of its indexes, on a type of which all inputs are few, and then what that of the merge says;
/// gives the merged document.
fn merged_of_indexes(kind: &str, merge: &str, dtype: &str) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().to_str().unwrap();
    let (job, merge) = (manifest(&format!("{kind}.yaml")), manifest(merge));
    let completions = job["spec"]["completions"].as_i64().unwrap();
    assert_eq!(variable(container(&job), "JOB_COMPLETIONS"), completions.to_string());
    let given = texts(&container(&job)["args"]);
    let small = given.iter().map(|arg| arg.replace("--type=float32", &format!("--type={dtype}")));
    let small: Vec<_> = small.collect();
    assert_ne!(given, small);
    for index in 0..completions {
        let index = index.to_string();
        let place = |arg: &String| {
            arg.replace("$(JOB_COMPLETION_INDEX)", &index).replace("/results", results)
        };
        let mut command = Command::new(TOOL);
        command.args(small.iter().map(place)).env("JOB_COMPLETION_INDEX", &index);
        command.env_remove("SLURM_ARRAY_TASK_ID").env("JOB_COMPLETIONS", completions.to_string());
        run(&mut command, 0);
    }
    let (_bin, path) = path_with_the_tool();
    let [program, arguments @ ..] = &*texts(&container(&merge)["command"]) else { panic!() };
    let out = variable(container(&merge), "OUT").replace("/results", results);
    run(Command::new(program).args(arguments).env("OUT", &out).env("PATH", path), 0);
    contents_of(kind, Path::new(&out))
}

#[test]
fn the_kubernetes_jobs_run_without_rights_and_write_results_alone() {
    for file in ["campaign.yaml", "merge.yaml", "atlas.yaml", "atlas-merge.yaml"] {
        let job = manifest(file);
        let (pod, container) = (&job["spec"]["template"]["spec"], container(&job));
        assert_eq!(pod["securityContext"]["runAsNonRoot"].as_bool(), Some(true));
        let security = &container["securityContext"];
        assert_eq!(security["readOnlyRootFilesystem"].as_bool(), Some(true));
        assert_eq!(security["allowPrivilegeEscalation"].as_bool(), Some(false));
        assert_eq!(texts(&security["capabilities"]["drop"]), ["ALL"]);
        let mounts = container["volumeMounts"].as_vec().unwrap();
        assert!(mounts.len() == 1 && mounts[0]["mountPath"].as_str() == Some("/results"));
        let claim = &pod["volumes"][0]["persistentVolumeClaim"]["claimName"];
        assert_eq!(*claim, manifest("results.yaml")["metadata"]["name"]);
    }
    for kind in ["campaign", "atlas"] {
        let job = manifest(&format!("{kind}.yaml"));
        assert_eq!(job["spec"]["completionMode"].as_str(), Some("Indexed"));
        // What ends an index is looked for in the container that there is.
        let rule = &job["spec"]["podFailurePolicy"]["rules"][1]["onExitCodes"]["containerName"];
        assert_eq!(rule.as_str(), container(&job)["name"].as_str());
    }
}
