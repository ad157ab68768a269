import type { Theme } from '../ui/index.ts'

const inAscii: Readonly<Record<string, string>> = {
  '·': '-',
  '│': '|',
  '↑': 'Up',
  '↓': 'Down',
  '←': 'Left',
  '→': 'Right',
}

/** A text of ours with the signs that the terminal can show. */
export function toSigns(text: string, { isAscii }: Pick<Theme, 'isAscii'>): string {
  return isAscii ? text.replace(/[·│↑↓←→]/g, (sign) => inAscii[sign] ?? sign) : text
}
