class Lofting < Formula
  desc "Language server and command-line checker for YAML with a schema"
  homepage "https://github.com/lofting-yaml/lofting"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "https://github.com/lofting-yaml/lofting/releases/download/v@VERSION@/lofting-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256:lofting-aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "https://github.com/lofting-yaml/lofting/releases/download/v@VERSION@/lofting-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256:lofting-x86_64-apple-darwin.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/lofting-yaml/lofting/releases/download/v@VERSION@/lofting-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:lofting-aarch64-unknown-linux-musl.tar.gz@"
    end
    on_intel do
      url "https://github.com/lofting-yaml/lofting/releases/download/v@VERSION@/lofting-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:lofting-x86_64-unknown-linux-musl.tar.gz@"
    end
  end

  def install
    bin.install "lofting"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/lofting.bash" => "lofting"
    zsh_completion.install "completions/_lofting"
    fish_completion.install "completions/lofting.fish"
  end

  test do
    (testpath/"schema.json").write '{"type": "object", "properties": {"port": {"type": "integer"}}}'
    (testpath/"values.yaml").write "# yaml-language-server: $schema=schema.json\nport: http\n"
    assert_match "values.yaml:2:7", shell_output("#{bin}/lofting check", 1)
  end
end
