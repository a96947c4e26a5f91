/** What a virtual machine makes up for classes of its own differs from run to run: the server's NameKeys leaves it out. */
const HIDDEN = /[/+.@]0x[0-9a-f]{6,}/g;
const MADE_UP = /(\$\$Lambda|\$Proxy|GeneratedMethodAccessor|GeneratedConstructorAccessor|LambdaForm\$\w+)[$/]?\d+/g;

/** The name of a method without what differs from run to run. */
export function nameOfRuns(name: string): string {
  return name.replace(HIDDEN, '').replace(MADE_UP, '$1');
}
