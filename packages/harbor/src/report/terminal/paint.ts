import type { TrialStatus, Verdict } from '@dataagent/schema'

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const

export type Colour = keyof typeof codes

/** Puts a colour on a text, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string

export function createPaint(isColoured: boolean): Paint {
  if (!isColoured) return (_, text) => text
  const esc = String.fromCharCode(27)
  return (colour, text) => `${esc}[${codes[colour]}m${text}${esc}[0m`
}

export const statusColours: Readonly<Record<TrialStatus, Colour>> = {
  ...{ passed: 'green', failed: 'red', error: 'yellow', timeout: 'yellow' },
}

export const verdictColours: Readonly<Record<Verdict, Colour>> = {
  ...{ better: 'green', worse: 'red', within_noise: 'dim', unknown: 'dim' },
}
