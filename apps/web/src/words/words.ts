/** The languages of the pages. */
export const langs = ['en', 'zh'] as const
export type Lang = (typeof langs)[number]

/** The texts of one room in each language. What has a number or a name in it is a function. */
export type Words<W> = Readonly<Record<Lang, W>>

/** Both languages have the same names, or the types say which is missing. */
export function defineWords<W>(words: { en: W; zh: NoInfer<W> }): Words<W> {
  return words
}
