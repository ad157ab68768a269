/** A place within a value: from the outside in. */
export type Steps = readonly (string | number)[]

const nameMax = 60

/** As a JavaScript expression: `items[0].orderId`; empty for the whole. */
export function toFieldPath(steps: Steps): string {
  return steps.reduce<string>((joined, step) => {
    if (typeof step === 'number') return `${joined}[${step}]`
    if (!/^[A-Za-z_$][\w$]{0,59}$/.test(step)) return `${joined}[${quote(step)}]`
    return joined === '' ? step : `${joined}.${step}`
  }, '')
}

/** As JSON, cut where it is long, without characters that cannot be seen. */
export function quote(value: unknown): string {
  const text = (JSON.stringify(value) ?? 'nothing').replace(/[\p{Cf}\p{Cs}\p{Co}]/gu, '')
  return text.length > nameMax ? `${text.slice(0, nameMax)}…` : text
}
