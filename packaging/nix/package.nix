# The released program, which is linked statically on Linux.
{ lib, stdenvNoCC, fetchurl, installShellFiles }:

let
  version = "@VERSION@";
  sources = {
    x86_64-linux = { triple = "x86_64-unknown-linux-musl"; sha256 = "@SHA256:lofting-x86_64-unknown-linux-musl.tar.gz@"; };
    aarch64-linux = { triple = "aarch64-unknown-linux-musl"; sha256 = "@SHA256:lofting-aarch64-unknown-linux-musl.tar.gz@"; };
    x86_64-darwin = { triple = "x86_64-apple-darwin"; sha256 = "@SHA256:lofting-x86_64-apple-darwin.tar.gz@"; };
    aarch64-darwin = { triple = "aarch64-apple-darwin"; sha256 = "@SHA256:lofting-aarch64-apple-darwin.tar.gz@"; };
  };
  source = sources.${stdenvNoCC.hostPlatform.system};
in
stdenvNoCC.mkDerivation {
  pname = "lofting";
  inherit version;

  src = fetchurl {
    url = "https://github.com/lofting-yaml/lofting/releases/download/v${version}/lofting-${source.triple}.tar.gz";
    inherit (source) sha256;
  };

  nativeBuildInputs = [ installShellFiles ];
  dontBuild = true;

  installPhase = ''
    runHook preInstall
    install -Dm755 lofting $out/bin/lofting
    installManPage man/*.1
    installShellCompletion completions/lofting.bash completions/lofting.fish --zsh completions/_lofting
    runHook postInstall
  '';

  meta = {
    description = "Language server and command-line checker for YAML with a schema";
    homepage = "https://github.com/lofting-yaml/lofting";
    license = with lib.licenses; [ mit asl20 ];
    sourceProvenance = [ lib.sourceTypes.binaryNativeCode ];
    platforms = builtins.attrNames sources;
    mainProgram = "lofting";
  };
}
