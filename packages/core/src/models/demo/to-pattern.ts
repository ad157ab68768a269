/**
 * A pattern over several lines: breaks and the blanks behind them are not part of it. A backtick is
 * written `\x60`. Other patterns may stand in it as texts.
 */
export function toPattern(
  flags: string,
): (pattern: TemplateStringsArray, ...parts: string[]) => RegExp {
  return (pattern, ...parts) =>
    new RegExp(String.raw(pattern, ...parts).replaceAll(/\n\s*/g, ''), flags)
}
