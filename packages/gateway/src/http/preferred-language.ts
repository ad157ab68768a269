/** The one of `ours` that an `Accept-Language` wants most; the first where it wants none. */
export function preferredLanguage<L extends string>(
  header: string | undefined,
  ours: readonly [L, ...L[]],
): L {
  let best: { language: L; quality: number } = { language: ours[0], quality: 0 }
  for (const range of (header ?? '').toLowerCase().split(',')) {
    const [tag = '', quality] = range.split(/;\s*q=/)
    const language = ours.find((one) => tag.trim().split('-', 1)[0] === one)
    const weight = Number(quality ?? 1)
    if (language !== undefined && weight > best.quality) best = { language, quality: weight }
  }
  return best.language
}
