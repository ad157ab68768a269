export type { TemplateBook } from './contract.ts'
export { switchOffUnapproved } from './switch-off-unapproved.ts'
export { createTemplateBook } from './template-book.ts'
