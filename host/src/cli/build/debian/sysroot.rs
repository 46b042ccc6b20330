//! The folder of the toolchain: a compiler, the standard library for this machine and for the
//! target, and what it borrows from rustup's toolchain.

use std::{
    fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    super::{
        TARGET,
        process::{self, Failure},
        rustup,
    },
    at,
};

/// A program that touches what differs between targets: clock, hash seed, arguments, output.
const TRY_OUT: &str = r#"
use std::{collections::HashMap, time::SystemTime};
fn main() {
    let map: HashMap<_, _> = [("now", SystemTime::now())].into();
    println!("{map:?} {}", std::env::args().count());
}
"#;

/// Lays out the compiler of the unpacked packages as rustup lays out a toolchain.
pub(super) fn lay_out(usr: &Path, folder: &Path) -> Result<(), Failure> {
    let bin = folder.join("bin");
    fs::create_dir_all(&bin).map_err(at(&bin))?;
    let rustc = usr.join("bin/rustc");
    fs::hard_link(&rustc, bin.join("rustc")).map_err(at(&rustc))?;
    let is_library = |name: &str| name.contains(".so");
    link_files(&compiler_libraries(usr)?, &folder.join("lib"), is_library)?;
    let host_lib = Path::new("lib/rustlib").join(host(folder)?).join("lib");
    link_files(&usr.join(&host_lib), &folder.join(&host_lib), |_| true)?;
    borrow_programs(folder)
}

/// Lends the toolchain what Debian's packages lack: cargo, and the linkers for WebAssembly.
pub(super) fn borrow_programs(folder: &Path) -> Result<(), Failure> {
    let lender = rustup::default_sysroot()?;
    let linkers = Path::new("lib/rustlib").join(host(folder)?).join("bin");
    if !lender.join(&linkers).join("wasm-component-ld").is_file() {
        let cause = format!("{} has no wasm-component-ld (run `rustup update`)", lender.display());
        return Err(Failure::new("rustup", cause));
    }
    for borrowed in [Path::new("bin/cargo"), &linkers] {
        let link = folder.join(borrowed);
        match fs::remove_file(&link) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(&link)(error)),
            _ => symlink(lender.join(borrowed), &link).map_err(at(&link))?,
        }
    }
    Ok(())
}

/// Whether what was borrowed is still there.
pub(super) fn has_programs(folder: &Path) -> bool {
    let Ok(host) = host(folder) else { return false };
    let linkers = folder.join("lib/rustlib").join(host).join("bin");
    // Both follow the links.
    folder.join("bin/cargo").exists() && linkers.join("wasm-component-ld").exists()
}

/// Builds the standard library for the target and puts it, with the C library, in its place.
pub(super) fn build_std(usr: &Path, folder: &Path, scratch: &Path) -> Result<(), Failure> {
    let source = source(usr)?;
    let mut cargo = process::command(folder.join("bin/cargo"));
    with_libraries(&mut cargo, folder)
        .current_dir(&source)
        .args(["build", "--quiet", "--release", "--locked", "--package", "sysroot"])
        .args(["--features", "backtrace", "--target", TARGET])
        .args(["--manifest-path", "sysroot/Cargo.toml"])
        .env("CARGO_TARGET_DIR", scratch)
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .env("RUSTC", folder.join("bin/rustc"))
        // As rustc's own build of it: the unstable language, and a name that no other std has.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("__CARGO_DEFAULT_LIB_METADATA", "mcpfn")
        .env(
            "RUSTFLAGS",
            format!(
                "-Zforce-unstable-if-unmarked -Cembed-bitcode=yes \
                 --remap-path-prefix={}=/rustc/library",
                source.display(),
            ),
        )
        .env_remove("RUSTC_WRAPPER");
    process::output(&mut cargo)?;

    let built = scratch.join(TARGET).join("release/deps");
    let libraries = target_libraries(folder);
    link_files(&built, &libraries, rustup::is_rlib)?;
    // The first two start a program and a library; both are linked before anything else.
    let is_linked = |name: &str| ["crt1-command.o", "crt1-reactor.o", "libc.a"].contains(&name);
    link_files(&usr.join("lib/wasm32-wasi"), &libraries.join("self-contained"), is_linked)
}

/// Whether the standard library for the target is in its place.
pub(super) fn has_std(folder: &Path) -> bool {
    rustup::has_std(&target_libraries(folder))
}

/// Compiles and links a small program.
pub(super) fn try_out(folder: &Path) -> Result<(), Failure> {
    let scratch = tempfile::tempdir().map_err(at(folder))?;
    let source = scratch.path().join("main.rs");
    fs::write(&source, TRY_OUT).map_err(at(&source))?;
    let mut rustc = rustc(folder);
    rustc.args(["--edition=2021", "--target", TARGET, "-o"]);
    process::output(rustc.arg(scratch.path().join("main.wasm")).arg(&source)).map(drop)
}

/// What `rustc -vV` says: cargo's measure of whether two compilers are the same.
pub(super) fn version(folder: &Path) -> Result<String, Failure> {
    process::output(rustc(folder).arg("-vV"))
}

/// The triple of this machine, as Debian's compiler names it.
fn host(folder: &Path) -> Result<String, Failure> {
    let version = version(folder)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Failure::new("rustc", "`-vV` names no host"))
}

fn rustc(folder: &Path) -> Command {
    let mut command = process::command(folder.join("bin/rustc"));
    with_libraries(&mut command, folder);
    command
}

/// Debian's compiler looks for its libraries in `/usr` unless it is told otherwise.
fn with_libraries<'a>(command: &'a mut Command, folder: &Path) -> &'a mut Command {
    command.env("LD_LIBRARY_PATH", folder.join("lib"))
}

fn target_libraries(folder: &Path) -> PathBuf {
    folder.join("lib/rustlib").join(TARGET).join("lib")
}

/// `usr/lib/x86_64-linux-gnu`, or what it is called on this machine.
fn compiler_libraries(usr: &Path) -> Result<PathBuf, Failure> {
    let is_driver = |name: &str| name.starts_with("librustc_driver-");
    find_folder(&usr.join("lib"), |folder| {
        fs::read_dir(folder).is_ok_and(|entries| {
            entries.flatten().any(|entry| is_driver(&entry.file_name().to_string_lossy()))
        })
    })
}

/// `usr/src/rustc-1.96.0/library`, of whichever version Debian has.
fn source(usr: &Path) -> Result<PathBuf, Failure> {
    let source = find_folder(&usr.join("src"), |folder| folder.join("library/sysroot").is_dir())?;
    Ok(source.join("library"))
}

fn find_folder(parent: &Path, is_it: impl Fn(&Path) -> bool) -> Result<PathBuf, Failure> {
    let entries = fs::read_dir(parent).map_err(at(parent))?;
    let mut folders = entries.flatten().map(|entry| entry.path());
    folders.find(|folder| is_it(folder)).ok_or_else(|| {
        let cause = "not laid out as in Debian 12 (the packages have changed)";
        Failure::new(parent.display().to_string(), cause)
    })
}

/// Links the files of a folder into another one on the same disk. What a symbolic link points to
/// is linked in its place: the packages' relative links do not hold in our layout.
fn link_files(from: &Path, to: &Path, is_wanted: impl Fn(&str) -> bool) -> Result<(), Failure> {
    fs::create_dir_all(to).map_err(at(to))?;
    for entry in fs::read_dir(from).map_err(at(from))? {
        let name = entry.map_err(at(from))?.file_name();
        let file = from.join(&name);
        if is_wanted(&name.to_string_lossy()) && file.is_file() {
            let file = file.canonicalize().map_err(at(&file))?;
            fs::hard_link(&file, to.join(&name)).map_err(at(&file))?;
        }
    }
    Ok(())
}
