/** Which addresses become links. */

/**
 * The address of a page of the documentation as a link, resolved against the attribute
 * `data-docs-base` of `<html>`, or against this page where there is none.
 *
 * @param {string} url from the bundle, never from a model
 * @returns {string | undefined} none where it is no web address, or carries a user name
 */
export function linkTo(url) {
  try {
    const base = new URL(document.documentElement.dataset.docsBase ?? "", document.baseURI);
    const link = new URL(url, base);
    const isWeb = link.protocol === "https:" || link.protocol === "http:";
    return isWeb && !link.username && !link.password ? link.href : undefined;
  } catch {
    return undefined;
  }
}
