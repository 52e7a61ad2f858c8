//! Files: what can be read, written and run at all. By Landlock, with an allow-list.

use std::path::{Path, PathBuf};

use cap_std::fs::Dir;
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};

use super::super::program::Grant;
use super::{Confinement, system_paths};

/// Restricts this thread and what it starts.
pub(super) fn restrict(confinement: &Confinement<'_>) -> Result<(), String> {
    let rules = rules(confinement)
        .map_err(|error| format!("Landlock is not there or too old ({error})"))?;
    let status = rules
        .restrict_self()
        .map_err(|error| format!("Landlock refused ({error})"))?;
    if status.ruleset == RulesetStatus::NotEnforced || !status.no_new_privs {
        return Err("Landlock is not enforced".to_owned());
    }
    Ok(())
}

fn rules(confinement: &Confinement<'_>) -> Result<RulesetCreated, landlock::RulesetError> {
    let mut rules = Ruleset::default()
        // Without truncation and moves, which came with the third version, writing is not confined.
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V3))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ABI::V5))?
        .scope(Scope::from_all(ABI::V6))?;
    if !confinement.program.may(Grant::Network) {
        rules = rules.handle_access(AccessNet::from_all(ABI::V4))?;
    }
    let mut rules = rules.create()?;

    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let write = AccessFs::WriteFile
        | AccessFs::Truncate
        | AccessFs::RemoveFile
        | AccessFs::RemoveDir
        | AccessFs::MakeReg
        | AccessFs::MakeDir
        | AccessFs::MakeSym
        | AccessFs::Refer;
    let root = if confinement.writes {
        read | write
    } else {
        read
    };
    rules = below(rules, confinement.root, root)?;
    if let Some(path) = confinement.temporary {
        rules = allow(rules, path, read | write)?;
    }
    for path in system_paths().chain(confinement.program.reads.iter().cloned()) {
        rules = allow(rules, &path, read)?;
    }
    rules = allow(
        rules,
        Path::new("/dev/null"),
        AccessFs::ReadFile | AccessFs::WriteFile,
    )?;
    let run = AccessFs::Execute | AccessFs::ReadFile;
    rules = allow(rules, confinement.executable, run)?;
    for path in loaders() {
        rules = allow(rules, &path, run)?;
    }
    for path in &confinement.program.runs {
        rules = allow(rules, path, run | AccessFs::ReadDir)?;
    }
    Ok(rules)
}

fn below(
    rules: RulesetCreated,
    directory: &Dir,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, landlock::RulesetError> {
    rules.add_rule(PathBeneath::new(directory, access))
}

/// Allows a file, or a directory with all below it; what is not there needs no rule.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, landlock::RulesetError> {
    let Ok(opened) = PathFd::new(path) else {
        return Ok(rules);
    };
    let access = if path.is_dir() {
        access
    } else {
        access & AccessFs::from_file(ABI::V5)
    };
    rules.add_rule(PathBeneath::new(opened, access))
}

/// The loaders of dynamic programs, which the kernel runs for them.
fn loaders() -> Vec<PathBuf> {
    ["/lib64", "/lib"]
        .iter()
        .filter_map(|directory| std::fs::read_dir(directory).ok())
        .flat_map(|entries| entries.flatten().map(|entry| entry.path()))
        .filter(|path| {
            let name = path.file_name().map(|name| name.to_string_lossy());
            name.is_some_and(|name| {
                name.starts_with("ld-linux")
                    || name.starts_with("ld-musl")
                    || name.starts_with("ld64")
            })
        })
        .collect()
}
