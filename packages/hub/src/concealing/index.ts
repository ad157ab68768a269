export { createSecretsBook } from './secrets-book.ts'
