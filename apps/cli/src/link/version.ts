import manifest from '../../package.json' with { type: 'json' }

export const { version } = manifest

/** Whether two versions may differ in what they send: before 1.0 the second number tells, too. */
export function areFarApart(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.split('.'))
  return a?.[0] !== b?.[0] || (a?.[0] === '0' && a[1] !== b?.[1])
}
