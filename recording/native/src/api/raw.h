/* What fork does about records that the program fills in. */
#ifndef KYMO_RAW_H
#define KYMO_RAW_H

void ky_raw_before_fork(void);
void ky_raw_in_child(void);

#endif
