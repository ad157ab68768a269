export { createApi } from './create-api.ts'
