export { createSecretsBook } from './secrets-book.ts'
export { toConcealed } from './to-concealed.ts'
