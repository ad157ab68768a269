/** The two parts of a model's name, which is `provider:model`. */
export function toModelNames(name: string): { provider: string | undefined; model: string } {
  const at = name.indexOf(':')
  if (at <= 0) return { provider: undefined, model: name }
  return { provider: name.slice(0, at), model: name.slice(at + 1) }
}
