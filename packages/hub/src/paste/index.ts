export type {
  PasteEntry,
  PasteForm,
  PasteOptions,
  PastePreview,
  PasteSecret,
} from './contract.ts'
export { parsePaste } from './parse-paste.ts'
