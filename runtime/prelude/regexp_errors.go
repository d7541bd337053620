package prelude

import (
	"errors"
	"strings"

	"github.com/dop251/goja"
)

// syntaxError makes a SyntaxError. It comes from the engine's constructor, because the name may belong to the program by now.
func (x *regExps) syntaxError(message string) goja.Value {
	_, err := x.construct(nil, x.vm.ToValue("("))
	var exception *goja.Exception
	if !errors.As(err, &exception) {
		panic(err) // the program is being stopped
	}
	o := exception.Value().(*goja.Object)
	must(o.DefineDataProperty("message", x.vm.ToValue(message), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return o
}

// refusal words what the engine says of a pattern with the pattern as the program wrote it.
func (x *regExps) refusal(err error, pattern, flags string) any {
	var exception *goja.Exception
	if !errors.As(err, &exception) {
		return err
	}
	o, ok := exception.Value().(*goja.Object)
	if !ok {
		return err
	}
	message := o.Get("message").String()
	if strings.HasPrefix(message, "Invalid flags") {
		return o
	}
	worded := syntaxError(pattern, flags, engineReason(message)).Error()
	must(o.DefineDataProperty("message", x.vm.ToValue(worded), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return o
}

// engineReason takes the reason out of a message of the engine's, which quotes the pattern as it was spelt for it.
func engineReason(message string) string {
	const marker = "error parsing regexp: "
	i := strings.LastIndex(message, marker)
	if i < 0 {
		return message
	}
	reason := message[i+len(marker):]
	for _, end := range []string{": `", " in `"} {
		if j := strings.Index(reason, end); j >= 0 {
			return reason[:j]
		}
	}
	return strings.TrimRight(reason, ")")
}
