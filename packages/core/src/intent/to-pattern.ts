/**
 * A pattern over several lines: breaks and the blanks behind them are not part of it. A backtick is
 * written `\x60`.
 */
export function toPattern(flags: string): (pattern: TemplateStringsArray) => RegExp {
  return ({ raw }) => new RegExp(raw.join('').replaceAll(/\n\s*/g, ''), flags)
}
