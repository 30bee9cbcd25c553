# The wasm target of the Rust compiler; sourced by scripts/setup, which also has say, die,
# have, with_lock and the Debian functions.
#
# Three ways, the first that works is taken:
#   1. the active toolchain has the target already;
#   2. `rustup target add`, unless RUSTUP_AUTO_INSTALL=0 forbids rustup to download;
#   3. a private toolchain, made of Debian's compiler and of a standard library that is
#      compiled for wasm from Debian's own sources, with the same compiler. It is a folder
#      that RUSTUP_TOOLCHAIN can name, and rustup is told nothing of it.

PRIVATE_TOOLCHAIN=$CACHE/rust-wasm
# To be raised when what way 3 makes changes, so that an older one is made anew.
PRIVATE_TOOLCHAIN_RECIPE=3
DEBIAN_RUSTC=/usr/bin/rustc

# The sources are used to make the standard library anew for size (scripts/build.mjs).
has_std_sources() { [ -f "$1/lib/rustlib/src/rust/library/Cargo.lock" ]; } # SYSROOT

has_wasm_std() { compgen -G "$1/lib/rustlib/$TARGET/lib/libstd-*.rlib" >/dev/null; } # SYSROOT

active_toolchain_has_target() { has_wasm_std "$(rustc --print sysroot)"; }

# What the private toolchain depends on: a new Debian compiler reads no older library.
private_toolchain_stamp() { "$DEBIAN_RUSTC" -vV; echo "recipe $PRIVATE_TOOLCHAIN_RECIPE"; }

private_toolchain_is_ready() {
  [ -x "$DEBIAN_RUSTC" ] && [ -f "$PRIVATE_TOOLCHAIN/stamp" ] && has_wasm_std "$PRIVATE_TOOLCHAIN" &&
    has_std_sources "$PRIVATE_TOOLCHAIN" &&
    [ "$(cat "$PRIVATE_TOOLCHAIN/stamp")" = "$(private_toolchain_stamp)" ]
}

# Prints the folder of the toolchain that compiles for wasm.
wasm_toolchain() {
  local active; active=$(rustc --print sysroot)
  if ! has_wasm_std "$active" && private_toolchain_is_ready; then
    printf '%s' "$PRIVATE_TOOLCHAIN"
  else
    printf '%s' "$active"
  fi
}

bring_wasm_target() {
  active_toolchain_has_target || private_toolchain_is_ready || with_lock rust-wasm add_wasm_target
  has_std_sources "$(wasm_toolchain)" || with_lock rust-src add_std_sources
}

# Without them the engine is made from the standard library as it was delivered: larger, but it works.
add_std_sources() {
  if [ "${RUSTUP_AUTO_INSTALL:-}" != 0 ] && have rustup; then
    say "adding the standard library's sources with rustup"
    rustup component add rust-src >&2 && return
  fi
  say "the standard library's sources are missing; by hand: rustup component add rust-src"
}

add_wasm_target() {
  # Another run may have made it while this one waited for the lock.
  if active_toolchain_has_target || private_toolchain_is_ready; then return; fi
  have rustup || die "this Rust has no $TARGET target; install Rust from https://rustup.rs, or that target's package"
  if [ "${RUSTUP_AUTO_INSTALL:-}" != 0 ]; then
    say "adding the $TARGET target with rustup"
    if rustup target add "$TARGET" >&2 && active_toolchain_has_target; then return; fi
    say "rustup could not add $TARGET"
  fi
  make_private_toolchain
}

# The newest installed LLVM linker: the driver that is told its flavour by rustc.
find_lld() { compgen -G '/usr/lib/llvm-*/bin/lld' | sort -V | tail -n 1; }

make_private_toolchain() {
  install_debian_packages rustc-web cargo-web rust-web-src lld-19 ||
    die "the $TARGET target is missing; by hand: rustup target add $TARGET"
  local lld host new
  lld=$(find_lld)
  host=$("$DEBIAN_RUSTC" -vV | sed -n 's/^host: //p')

  say "compiling the standard library for $TARGET with $("$DEBIAN_RUSTC" --version) (a minute, once)"
  new=$PRIVATE_TOOLCHAIN.new
  rm -rf -- "$new"
  mkdir -p "$new/bin" "$new/lib/rustlib/$TARGET/lib" "$new/lib/rustlib/$host/bin"
  compile_wasm_std "$new/build"
  find "$new/build/target/$TARGET/release/deps" -name '*.rlib' ! -name 'libempty-*' \
    -exec cp {} "$new/lib/rustlib/$TARGET/lib/" \;
  rm -rf -- "$new/build"

  # All else stays Debian's and is only linked to.
  ln -s "/usr/lib/rustlib/$host/lib" "$new/lib/rustlib/$host/lib"
  ln -s /usr/lib/rustlib/src "$new/lib/rustlib/src"
  ln -s "$lld" "$new/lib/rustlib/$host/bin/rust-lld"
  ln -s /usr/bin/cargo "$new/bin/cargo"
  # Programs, not links: the compiler takes the folder that its real file lies in for its
  # sysroot, and would find Debian's, which has no wasm library.
  local tool
  for tool in rustc rustdoc; do
    printf '#!/bin/sh\nexec /usr/bin/%s --sysroot %q "$@"\n' "$tool" "$PRIVATE_TOOLCHAIN" >"$new/bin/$tool"
    chmod 755 "$new/bin/$tool"
  done

  has_wasm_std "$new" || die "the standard library for $TARGET was not made"
  private_toolchain_stamp >"$new/stamp"
  rm -rf -- "$PRIVATE_TOOLCHAIN"
  mv "$new" "$PRIVATE_TOOLCHAIN"
}

# Compiles an empty crate, and with it the standard library, in a folder of its own.
compile_wasm_std() { # DIR
  mkdir -p "$1/src"
  printf '%s\n' '[package]' 'name = "empty"' 'version = "0.0.0"' 'edition = "2021"' '[workspace]' \
    '[profile.release]' 'codegen-units = 1' 'debug = false' >"$1/Cargo.toml"
  echo '#![no_std]' >"$1/src/lib.rs"
  # RUSTC_BOOTSTRAP allows -Zbuild-std on a stable compiler, whose own sources these are.
  # embed-bitcode is what a later build with `lto = true` reads. The machine's paths are
  # renamed, for they would end up in every panic message.
  ( cd "$1"
    unset RUSTUP_TOOLCHAIN RUSTC_WRAPPER CARGO_TARGET_DIR CARGO_BUILD_TARGET CARGO_ENCODED_RUSTFLAGS
    RUSTC_BOOTSTRAP=1 RUSTC=$DEBIAN_RUSTC \
    RUSTFLAGS="-Cembed-bitcode=yes --remap-path-prefix=/usr/lib/rustlib/src/rust=/rustc --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src=/crates" \
      /usr/bin/cargo build --quiet --release --target "$TARGET" \
      -Zbuild-std=std,panic_abort,test,proc_macro >&2 )
}
