/**
 * The names that people give a tool for short: without its first parts (`order.get_detail` and
 * `get_detail` for `mall4j.order.get_detail`), and in words where it is written in camel case.
 */
export function toShortNames(name: string): string[] {
  const parts = name.split(/[./:]/)
  const endings = parts.map((_, index) => parts.slice(index).join('.'))
  return endings.flatMap((ending) => [ending, toWords(ending)])
}

function toWords(name: string): string {
  return name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
}
