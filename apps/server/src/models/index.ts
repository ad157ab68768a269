export { type OpenApiOptions, toOpenApi } from './open-api.ts'
export { renderPage } from './page.ts'
export { pageStyle } from './page-style.ts'
export { preferredLang } from './preferred-lang.ts'
