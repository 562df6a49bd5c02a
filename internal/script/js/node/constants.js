// node:constants, the old place of the numbers of node:fs.
import { constants } from "./_files.js";

export const { F_OK, R_OK, W_OK, X_OK, O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = constants;
export default constants;
