"""Rules that check YAML with Lofting: `lofting_test`, and `lofting_report` for a report as a file."""

def _files(ctx):
    """The files that the check may read, and a list of their paths."""
    for file in ctx.files.srcs:
        if file.short_path.startswith("../"):
            fail("%s is in another repository: a check only knows the files of one" % file.short_path)
    paths = ctx.actions.declare_file(ctx.label.name + ".files")
    ctx.actions.write(paths, "".join([file.short_path + "\n" for file in ctx.files.srcs]))
    return paths

def _paths(ctx):
    """What is checked, relative to the root of the workspace."""
    return ctx.attr.paths or [ctx.label.package or "."]

def _quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"

def _lofting_test_impl(ctx):
    files = _files(ctx)
    words = ["./" + ctx.file._script.short_path, "./" + ctx.executable.lofting.short_path, "./" + files.short_path]
    words += ["check"] + ctx.attr.options + ["--"] + _paths(ctx)
    test = ctx.actions.declare_file(ctx.label.name + ".sh")
    command = "exec sh " + " ".join([_quoted(word) for word in words]) + "\n"
    ctx.actions.write(test, "#!/bin/sh\n" + command, is_executable = True)
    runfiles = ctx.runfiles(files = ctx.files.srcs + [files, ctx.file._script, ctx.executable.lofting])
    return [DefaultInfo(executable = test, runfiles = runfiles)]

def _lofting_report_impl(ctx):
    files = _files(ctx)
    report = ctx.actions.declare_file(ctx.label.name + "." + ctx.attr.format)
    arguments = ctx.actions.args()
    arguments.add_all([ctx.executable.lofting, files, "check"])
    arguments.add_all(ctx.attr.options)
    arguments.add("--")
    arguments.add_all(_paths(ctx))
    ctx.actions.run_shell(
        # Findings are the report, and no reason not to have one.
        command = "sh %s \"$@\" >/dev/null || test $? -eq 1" % _quoted(ctx.file._script.path),
        arguments = [arguments],
        inputs = ctx.files.srcs + [files, ctx.file._script],
        tools = [ctx.executable.lofting],
        outputs = [report],
        env = {"LOFTING_REPORT": ctx.attr.format + "=" + report.path},
        mnemonic = "Lofting",
        progress_message = "Checking YAML for %s" % ctx.label,
    )
    return [DefaultInfo(files = depset([report]))]

def _attributes(cfg):
    return {
        "lofting": attr.label(
            doc = "The program.",
            executable = True,
            allow_single_file = True,
            cfg = cfg,
            mandatory = True,
        ),
        "options": attr.string_list(doc = "Further options of `lofting check`, such as `--strict`."),
        "paths": attr.string_list(
            doc = "What is checked: files and folders below the root of the workspace. The folder of the package if empty.",
        ),
        "srcs": attr.label_list(
            doc = "All files that the check may read: YAML, schemas, templates and lofting.toml. It sees no others.",
            allow_files = True,
            mandatory = True,
        ),
        "_script": attr.label(default = Label("//:lofting_check.sh"), allow_single_file = True),
    }

lofting_test = rule(
    implementation = _lofting_test_impl,
    attrs = _attributes("target"),
    doc = "Fails if `lofting check` finds errors. With `shard_count`, each shard checks a part of the files.",
    test = True,
)

lofting_report = rule(
    implementation = _lofting_report_impl,
    attrs = dict(
        _attributes("exec"),
        format = attr.string(doc = "A format of `lofting check`.", default = "sarif"),
    ),
    doc = "The findings of `lofting check` as a file. Errors in the YAML do not make the build fail.",
)
