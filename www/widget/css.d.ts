/** A style sheet as text, minified when the component is built. */
declare module "*.css?inline" {
  const text: string;
  export default text;
}
