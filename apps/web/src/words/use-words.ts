import { usePreference } from '../preferences/use-preferences.ts'
import { type Formats, formatsOf } from './formats.ts'
import type { Lang, Words } from './words.ts'

/** The texts of a room in the language that is chosen. */
export function useWords<W>(words: Words<W>): W {
  return words[useLang()]
}

export function useLang(): Lang {
  return usePreference('lang')
}

export function useFormats(): Formats {
  return formatsOf(useLang())
}
