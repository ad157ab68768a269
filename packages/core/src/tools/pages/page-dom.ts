/** The little of a document that is used. */
export interface PageElement {
  readonly nodeName: string
  readonly textContent: string | null
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  remove(): void
  querySelector(selector: string): PageElement | null | undefined
  querySelectorAll(selector: string): ArrayLike<PageElement>
}

export interface PageDocument extends Pick<PageElement, 'querySelector' | 'querySelectorAll'> {
  readonly title: string | undefined
  readonly body: PageElement | null
}
