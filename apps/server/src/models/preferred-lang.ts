import type { Lang } from '../config/index.ts'

/** The language that `Accept-Language` prefers of ours; English where it names neither. */
export function preferredLang(header: string | undefined): Lang {
  const wanted = (header ?? '').split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
    const weight = parameters.map((one) => /^\s*q=([\d.]+)$/.exec(one)?.[1]).find(Boolean)
    return { tag: tag.trim(), weight: Number(weight ?? 1) }
  })
  const known = wanted.filter(({ tag, weight }) => /^(en|zh)(-|$)/.test(tag) && weight > 0)
  const best = known.toSorted((a, b) => b.weight - a.weight)[0]
  return best?.tag.startsWith('zh') ? 'zh' : 'en'
}
