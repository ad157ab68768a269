export { createLangfuse } from './create-langfuse.ts'
