//! Files that steer other programs.

use std::path::{Component, Path};

/// Names, in lower case, that are protected wherever they stand in a path.
const NAMES: [&str; 72] = [
    // Version control: hooks, filters and aliases run commands.
    ".git",
    "git~1",
    ".gitconfig",
    ".gitmodules",
    ".hg",
    ".hgrc",
    ".svn",
    ".husky",
    ".pre-commit-config.yaml",
    // Shells and login.
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    ".inputrc",
    ".envrc",
    ".direnvrc",
    ".pam_environment",
    ".xprofile",
    ".xinitrc",
    ".xsession",
    ".config",
    ".local",
    // Keys and accounts.
    ".ssh",
    ".gnupg",
    ".aws",
    ".kube",
    ".docker",
    ".netrc",
    ".pypirc",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    // Editors, debuggers and build tools that load a project's settings.
    ".vscode",
    ".idea",
    ".vim",
    ".vimrc",
    ".nvimrc",
    ".exrc",
    ".emacs",
    ".emacs.d",
    ".dir-locals.el",
    ".gdbinit",
    ".lldbinit",
    ".cargo",
    // Agents: servers they start and orders they follow.
    ".mcp.json",
    "mcp.json",
    ".claude",
    ".claude.json",
    ".cursor",
    ".cursorrules",
    ".windsurf",
    ".windsurfrules",
    ".clinerules",
    ".continue",
    ".codex",
    ".gemini",
    ".aider.conf.yml",
    "agents.md",
    "claude.md",
    "gemini.md",
    "copilot-instructions.md",
];

/// The protected name in `path`, if there is one.
pub(super) fn protected(path: &Path) -> Option<String> {
    path.components().find_map(|component| match component {
        Component::Normal(name) => {
            let name = name.to_string_lossy();
            NAMES
                .contains(&folded(&name).as_str())
                .then(|| name.into_owned())
        }
        _ => None,
    })
}

/// The name as forgiving file systems see it: without case, invisible characters, stream names and a tail of dots
/// and spaces.
fn folded(name: &str) -> String {
    let name = crate::text::clean::clean(name);
    let name = name.split(':').next().unwrap_or_default();
    name.trim_end_matches(['.', ' '])
        .chars()
        .filter(|character| !matches!(character, '\u{200c}' | '\u{200d}'))
        .collect::<String>()
        .to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_protected_name_is_found_in_any_spelling_a_file_system_forgives() {
        for path in [
            ".git/hooks/pre-commit",
            "a/b/.GIT/config",
            ".git. /config",
            ".git::$INDEX_ALLOCATION/config",
            ".g\u{200c}it/config",
            "GIT~1/config",
            "home/.BashRC",
            ".mcp.json",
            "docs/AGENTS.md",
            "x/.ssh/authorized_keys",
        ] {
            assert!(protected(Path::new(path)).is_some(), "{path}");
        }
    }

    #[test]
    fn names_that_only_resemble_a_protected_one_are_free() {
        for path in [
            ".gitignore",
            "git/config",
            "my.git/x",
            "bashrc",
            "notes/claude.txt",
            ".github/workflows/ci.yml",
        ] {
            assert_eq!(protected(Path::new(path)), None, "{path}");
        }
    }
}
