package prelude
import ("testing";"github.com/dop251/goja";"fmt")
func TestZZ(t *testing.T){ vm:=goja.New(); v,err:=vm.RunString(`(function () { "use strict"; try { undefined = 1 } catch (e) { return String(e) } return "none" })()`); fmt.Println(v,err)
v,err=newVM(t,Host{}).RunString(`undefined;(function () { "use strict"; try { undefined = 1 } catch (e) { return String(e) } return "none" })()`); fmt.Println(v,err)
v,err=newVM(t,Host{}).RunString(`(function () { "use strict"; try { undefined = 1 } catch (e) { return String(e) } return "none" })()`); fmt.Println(v,err) }
