import { search, compile, tokenize, strictDeepEqual } from "jmespath";

export { search, compile, tokenize, strictDeepEqual };
export default { search, compile, tokenize, strictDeepEqual };
