package gg

// builtin is a name of gg that is no function of the catalogue.
type builtin struct {
	name, signature, brief, detail string
}

// builtins are documented like functions. The bindings provide them; every program has them.
var builtins = []builtin{
	{
		name:      "gg.args",
		signature: "gg.args: Readonly<Record<string, string | undefined>>",
		brief:     "what the caller passed to the program, by name; every value is a string",
	},
	{
		name:      "gg.ApiError",
		signature: "class gg.ApiError extends Error { operation: string; code: string; message: string; site: { line: number; column: number }; hint?: string; toJSON(): object }",
		brief:     "what a call throws when it fails",
		detail: "`code` is one of " + codeNames + "; `operation` names the function, `site` the place of the call. " +
			"A call that fails half-way may add data of its own: a command that ran into its timeout has `output`, `truncated` and `files`.",
	},
	{
		name:      "console",
		signature: "console.log(...data: any[]): void",
		brief:     "log, info, warn, error, debug, table: prints for the operator; the model never sees it",
	},
}

const codeNames = "`" + string(InvalidArgument) + "`, `" + string(NotFound) + "`, `" + string(Conflict) + "`, `" + string(Refused) + "`, `" +
	string(Unavailable) + "`, `" + string(LimitExceeded) + "`, `" + string(IOError) + "` and `" + string(Other) + "`"
