//! The programs that are known without being described: what each may be asked for.
//!
//! Options that run programs, write files, follow links, take names from files or wait for ever are left out.

/// Programs that only read.
pub(super) const READING: [&str; 33] = [
    "ls: -a --all; -A --almost-all; -1; -l; -h --human-readable; -R --recursive; -r --reverse; -t; -S; -X; -U; -v; \
     -c; -u; -d --directory; -F --classify; -p; -i --inode; -s --size; -n --numeric-uid-gid; -g; -o; -G --no-group; \
     -m; -x; -C; -B --ignore-backups; -Q --quote-name; -N --literal; -b --escape; -q --hide-control-chars; \
     -k --kibibytes; --full-time; --file-type; --si; --group-directories-first; --sort=TEXT; --time=TEXT; \
     --time-style=TEXT; --format=TEXT; --color[=TEXT]; --hide=TEXT; -I --ignore=TEXT; -w --width=COUNT; \
     --block-size=TEXT; PATH...",
    "cat: -n --number; -b --number-nonblank; -A --show-all; -E --show-ends; -T --show-tabs; -v --show-nonprinting; \
     -s --squeeze-blank; -e; -t; -u; PATH...",
    "tac: temporary; -b --before; -r --regex; -s --separator=TEXT; PATH...",
    "rev: PATH...",
    "head: -n --lines -NUM=COUNT; -c --bytes=COUNT; -q --quiet --silent; -v --verbose; -z --zero-terminated; PATH...",
    "tail: -n --lines -NUM=COUNT; -c --bytes=COUNT; -q --quiet --silent; -v --verbose; -z --zero-terminated; PATH...",
    "wc: -c --bytes; -m --chars; -l --lines; -w --words; -L --max-line-length; PATH...",
    "sort: temporary; -b --ignore-leading-blanks; -d --dictionary-order; -f --ignore-case; -g --general-numeric-sort; \
     -h --human-numeric-sort; -i --ignore-nonprinting; -M --month-sort; -n --numeric-sort; -r --reverse; \
     -R --random-sort; -u --unique; -V --version-sort; -k --key=TEXT; -t --field-separator=TEXT; -s --stable; \
     -c --check; -C; -m --merge; -z --zero-terminated; PATH...",
    // A second operand would be the file that is written.
    "uniq: -c --count; -d --repeated; -D; -u --unique; -i --ignore-case; -f --skip-fields=COUNT; \
     -s --skip-chars=COUNT; -w --check-chars=COUNT; -z --zero-terminated; PATH?",
    "cut: -b --bytes=TEXT; -c --characters=TEXT; -d --delimiter=TEXT; -f --fields=TEXT; -s --only-delimited; \
     --complement; --output-delimiter=TEXT; -z --zero-terminated; PATH...",
    "tr: -c --complement; -C; -d --delete; -s --squeeze-repeats; -t --truncate-set1; TEXT TEXT?",
    "grep: -i --ignore-case -y; --no-ignore-case; -v --invert-match; -n --line-number; -c --count; \
     -l --files-with-matches; -L --files-without-match; -r --recursive; -w --word-regexp; -x --line-regexp; \
     -o --only-matching; -q --quiet --silent; -s --no-messages; -h --no-filename; -H --with-filename; \
     -E --extended-regexp; -F --fixed-strings; -G --basic-regexp; -P --perl-regexp; -e --regexp=TEXT instead; \
     -A --after-context=COUNT; -B --before-context=COUNT; -C --context -NUM=COUNT; -m --max-count=COUNT; \
     --include=TEXT; --exclude=TEXT; --exclude-dir=TEXT; -a --text; -I; -b --byte-offset; -T --initial-tab; \
     -Z --null; -z --null-data; --color[=TEXT]; --colour[=TEXT]; --line-buffered; --label=TEXT; TEXT PATH...",
    // A comparison of directories follows links unless it is told not to.
    "diff: always --no-dereference; -u; -U --unified=COUNT; -c; -C --context=COUNT; -r --recursive; -q --brief; \
     -s --report-identical-files; -i --ignore-case; -w --ignore-all-space; -b --ignore-space-change; \
     -B --ignore-blank-lines; -Z --ignore-trailing-space; -E --ignore-tab-expansion; -y --side-by-side; \
     -W --width=COUNT; -N --new-file; -a --text; -p --show-c-function; -t --expand-tabs; -e --ed; -n --rcs; \
     --strip-trailing-cr; --suppress-common-lines; -d --minimal; -x --exclude=TEXT; -I --ignore-matching-lines=TEXT; \
     --label=TEXT; --color[=TEXT]; PATH PATH",
    "cmp: -l --verbose; -s --quiet --silent; -b --print-bytes; -n --bytes=COUNT; PATH PATH",
    "comm: -1; -2; -3; --check-order; --nocheck-order; --output-delimiter=TEXT; --total; -z --zero-terminated; \
     PATH PATH",
    "tree: -a; -d; -f; -i; -p; -s; -h; -D; -F; -r; -t; -v; -S; -n; -J; -X; -L=COUNT; -P=TEXT; -I=TEXT; --dirsfirst; \
     --noreport; --prune; --ignore-case; --filelimit=COUNT; --du; --charset=TEXT; PATH...",
    "stat: -c --format=TEXT; --printf=TEXT; -t --terse; -f --file-system; PATH...",
    "file: -b --brief; -i --mime; -k --keep-going; -h --no-dereference; --mime-type; --mime-encoding; -r --raw; PATH...",
    "du: -s --summarize; -h --human-readable; -a --all; -c --total; -d --max-depth=COUNT; -k; -m; -b --bytes; \
     -0 --null; --apparent-size; -S --separate-dirs; -x --one-file-system; --si; --inodes; --exclude=TEXT; \
     -t --threshold=COUNT; -B --block-size=TEXT; PATH...",
    "basename: -a --multiple; -s --suffix=TEXT; -z --zero; TEXT...",
    "dirname: -z --zero; TEXT...",
    // An operand without a `+` would set the clock.
    "date: -u --utc --universal; -d --date=TEXT; -r --reference=PATH; -R --rfc-email; -I[=TEXT]; --iso-8601[=TEXT]; \
     --rfc-3339=TEXT; FORMAT?",
    "seq: -s --separator=TEXT; -w --equal-width; -f --format=TEXT; NUMBER NUMBER? NUMBER?",
    "nl: -b --body-numbering=TEXT; -n --number-format=TEXT; -s --number-separator=TEXT; -v --starting-line-number=COUNT; \
     -w --number-width=COUNT; -i --line-increment=COUNT; -h --header-numbering=TEXT; -f --footer-numbering=TEXT; PATH...",
    "paste: -d --delimiters=TEXT; -s --serial; -z --zero-terminated; PATH...",
    "fold: -b --bytes; -s --spaces; -w --width=COUNT; PATH...",
    "printf: TEXT TEXT...",
    "sha256sum: -b --binary; -t --text; --tag; PATH...",
    "md5sum: -b --binary; -t --text; --tag; PATH...",
    "true:",
    "false:",
    // The expression is read by `find.rs`.
    "find:",
    // The script is read by `sed.rs`.
    "sed: always --sandbox; -n --quiet --silent; -E -r --regexp-extended; -s --separate; -u --unbuffered; -z --null-data; \
     -e --expression=TEXT instead; TEXT PATH...",
];

/// Programs that change files.
pub(super) const WRITING: [&str; 8] = [
    "mkdir: -p --parents; -v --verbose; OUT...",
    "touch: -a; -c --no-create; -m; -d --date=TEXT; -t=TEXT; OUT...",
    // A target that is there is removed first: writing into it could go through a link or to its other names.
    "cp: always --remove-destination; -r -R --recursive; -f --force; -n --no-clobber; -u --update; -v --verbose; \
     -T --no-target-directory; -t --target-directory=OUT instead; PATH... OUT",
    "mv: -f --force; -n --no-clobber; -u --update; -v --verbose; -T --no-target-directory; \
     -t --target-directory=OUT instead; GONE... OUT",
    // Files and empty directories; `-r` is another setting.
    "rm: always --dir; -f --force; -d --dir; -v --verbose; -r -R --recursive; GONE...",
    "rmdir: -p --parents; -v --verbose; --ignore-fail-on-non-empty; GONE...",
    "tee: -a --append; OUT...",
    // In place of the one that only reads.
    "sed: always --sandbox; -n --quiet --silent; -E -r --regexp-extended; -s --separate; -u --unbuffered; -z --null-data; \
     -e --expression=TEXT instead; -i --in-place; TEXT PATH...",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::command::program::Program;

    #[test]
    fn every_description_is_understood_and_no_spelling_means_two_things() {
        for text in READING.iter().chain(&WRITING) {
            let program: Program = text.parse().unwrap();
            let mut names: Vec<&String> = (program.options.iter())
                .flat_map(|option| &option.names)
                .collect();
            names.sort();
            let all = names.len();
            names.dedup();
            assert_eq!(names.len(), all, "{program}");
        }
    }
}
