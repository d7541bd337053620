package prelude

import (
	_ "embed"

	"github.com/dop251/goja"
)

//go:embed domexception.js
var domExceptionSource string

func (r *realm) domExceptionNatives() map[string]any {
	return map[string]any{
		// code(name) is the number that an exception of this name had before there were names
		"code": func(call goja.FunctionCall) goja.Value { return r.vm.ToValue(legacyCode(call.Argument(0).String())) },
	}
}

// legacyCode is from the table of error names of Web IDL; 0 for names that are newer.
func legacyCode(name string) int {
	switch name {
	case "IndexSizeError":
		return 1
	case "HierarchyRequestError":
		return 3
	case "WrongDocumentError":
		return 4
	case "InvalidCharacterError":
		return 5
	case "NoModificationAllowedError":
		return 7
	case "NotFoundError":
		return 8
	case "NotSupportedError":
		return 9
	case "InUseAttributeError":
		return 10
	case "InvalidStateError":
		return 11
	case "SyntaxError":
		return 12
	case "InvalidModificationError":
		return 13
	case "NamespaceError":
		return 14
	case "InvalidAccessError":
		return 15
	case "TypeMismatchError":
		return 17
	case "SecurityError":
		return 18
	case "NetworkError":
		return 19
	case "AbortError":
		return 20
	case "URLMismatchError":
		return 21
	case "QuotaExceededError":
		return 22
	case "TimeoutError":
		return 23
	case "InvalidNodeTypeError":
		return 24
	case "DataCloneError":
		return 25
	}
	return 0
}
