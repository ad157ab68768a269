export type Language = 'zh' | 'en'

/** A text in both languages. */
export type Bilingual = Readonly<Record<Language, string>>
