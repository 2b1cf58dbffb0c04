/* Stands for libjbig in files that contain libtiff. libjbig is under the GPL, and Frost is not. libtiff links it for TIFF files
 * with the compression JBIG, a rare one of fax machines. These functions refuse each such file with a text. */

int jbg_dec_in(void) { return -1; }
int jbg_newlen(void) { return -1; }
const char *jbg_strerror(int status) { return "this copy of libtiff has no JBIG"; }
const unsigned char *jbg_dec_getimage(void) { return 0; }
unsigned long jbg_dec_getsize(void) { return 0; }
void jbg_dec_init(void) {}
void jbg_dec_free(void) {}
void jbg_enc_init(void) {}
void jbg_enc_out(void) {}
void jbg_enc_free(void) {}
